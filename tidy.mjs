// moves top-level UPPER_CASE consts behind the imports, in their order
import ts from '/tmp/w/browser/node_modules/typescript/lib/typescript.js';
import {readFileSync,writeFileSync} from 'node:fs';
for(const f of process.argv.slice(2)){const t=readFileSync(f,'utf8');const sf=ts.createSourceFile(f,t,ts.ScriptTarget.Latest,true);
 const imps=sf.statements.filter(ts.isImportDeclaration);if(!imps.length)continue;const last=imps.at(-1).end;
 const isC=s=>ts.isVariableStatement(s)&&s.declarationList.declarations.every(d=>ts.isIdentifier(d.name)&&/^[A-Z][A-Z0-9_]*$/.test(d.name.text));
 const body=sf.statements.filter(s=>!ts.isImportDeclaration(s));
 let seenOther=false,move=false;for(const s of body){if(isC(s)){if(seenOther)move=true}else seenOther=true}
 if(!move)continue;
 const seg=s=>t.slice(Math.max(s.pos,last),s.end).trim();
 const cs=body.filter(isC).map(seg),rest=body.filter(s=>!isC(s)).map(seg);
 const tail=t.slice(body.at(-1).end).trim();
 writeFileSync(f,t.slice(0,last)+'\n\n'+cs.join('\n')+'\n\n'+rest.join('\n\n')+(tail?'\n'+tail:'')+'\n');
}

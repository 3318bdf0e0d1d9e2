// Splits TypeScript into code and the rest without parsing it: comments, strings, regular
// expressions and template texts are blanked in `code`, which keeps its length and its lines.
const STOP = /["'`/{}]/g;
const WORD_BEFORE_REGEX =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|instanceof|await|yield|else|do)$/;
const REGEX_MAY_FOLLOW = /[(,=:[!&|?{;+\-*%<>~^]$/;
const STRING_ENDS = { '"': /(?:[^"\\\n]|\\[\s\S])*"?/y, "'": /(?:[^'\\\n]|\\[\s\S])*'?/y };
const REGEX_REST = /(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\/?[a-z]*/y;
const TEMPLATE_REST = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)?/y;
const LOOK_BACK_CHARS = 80;

/** `strings` gives the value of each plain string by the offset of its quote. */
export function maskSource(text) {
  const state = { text, code: "", comments: [], strings: new Map(), braces: [] };
  for (;;) {
    STOP.lastIndex = state.code.length;
    const stop = STOP.exec(text);
    if (!stop) break;
    state.code += text.slice(state.code.length, stop.index);
    maskAt(state, stop.index);
  }
  const code = state.code + text.slice(state.code.length);
  return { code, comments: state.comments, strings: state.strings };
}

function maskAt(state, start) {
  const { text } = state;
  const mark = text[start];
  if (mark === '"' || mark === "'") return maskString(state, start);
  if (mark === "`") return maskTemplate(state, start);
  if (mark === "/") return maskSlash(state, start);
  return passBrace(state, start);
}

function maskString(state, start) {
  const end = matchEnd({
    pattern: STRING_ENDS[state.text[start]],
    text: state.text,
    from: start + 1,
  });
  state.strings.set(start, state.text.slice(start + 1, end - 1));
  keepEnds({ state, start, end, tail: 1 });
}

/** Also goes on after the `}` of an expression inside a template. */
function maskTemplate(state, start) {
  const end = matchEnd({ pattern: TEMPLATE_REST, text: state.text, from: start + 1 });
  const opensExpression = state.text.startsWith("${", end - 2);
  if (opensExpression) state.braces.push("template");
  keepEnds({ state, start, end, tail: opensExpression ? 2 : 1 });
}

function maskSlash(state, start) {
  const { text } = state;
  const next = text[start + 1];
  if (next === "/" || next === "*") {
    const close = text.indexOf(next === "/" ? "\n" : "*/", start + 2);
    const end = close === -1 ? text.length : close + (next === "/" ? 0 : 2);
    state.comments.push({ offset: start, text: text.slice(start, end) });
    state.code += blank(text.slice(start, end));
    return;
  }
  if (!mayBeRegex(state.code)) {
    state.code += "/";
    return;
  }
  const end = matchEnd({ pattern: REGEX_REST, text, from: start + 1 });
  keepEnds({ state, start, end, tail: 0 });
}

function passBrace(state, start) {
  if (state.text[start] === "{") {
    state.braces.push("block");
    state.code += "{";
  } else if (state.braces.pop() === "template") {
    maskTemplate(state, start);
  } else {
    state.code += "}";
  }
}

function mayBeRegex(codeBefore) {
  const before = codeBefore.slice(-LOOK_BACK_CHARS).trimEnd();
  return before === "" || REGEX_MAY_FOLLOW.test(before) || WORD_BEFORE_REGEX.test(before);
}

function matchEnd({ pattern, text, from }) {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

function keepEnds({ state, start, end, tail }) {
  const { text } = state;
  state.code +=
    text[start] + blank(text.slice(start + 1, end - tail)) + text.slice(end - tail, end);
}

function blank(text) {
  return text.replace(/[^\n]/g, " ");
}

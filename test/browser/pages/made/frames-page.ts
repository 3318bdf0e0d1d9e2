// Frames in frames: of the same origin, of two other sites, of a srcdoc, and one that can be reloaded
// with another content.

export function makeFramesPage(port: number): string {
  return `<!doctype html><html lang="en"><title>Frames</title>
<h1>Frames</h1>
<button onclick="document.querySelector('#same').src = '/inner?words=' + encodeURIComponent('Other')">Reload the first frame</button>
<iframe id="same" title="Same origin" src="/inner?words=Same" width="400" height="120"></iframe>
<iframe id="other" title="Other site" src="http://127.0.0.2:${port}/inner?words=Foreign" width="400" height="120"></iframe>
<iframe id="named" title="Named host" src="http://localhost:${port}/inner?words=Local" width="400" height="120"></iframe>
<iframe id="nested" title="Nested" src="/nested" width="400" height="160"></iframe>
<iframe id="written" title="Written" srcdoc="<button onclick='this.textContent = &quot;Pressed&quot;'>In srcdoc</button>" width="400" height="60"></iframe>
<iframe id="boxed" title="Sandboxed" sandbox="allow-scripts" src="/inner?words=Sandboxed" width="400" height="120"></iframe>
</html>`;
}

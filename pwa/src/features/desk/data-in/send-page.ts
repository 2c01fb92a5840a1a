/**
 * The bookmarklet: it sends the list that the browser shows to this installation. It calls `POST /api/import` with its key.
 * Where the portal's Content-Security-Policy allows no call, it opens the desk with the list in the fragment of the address,
 * which no policy of a page forbids and no server receives.
 */

interface BookmarkletOptions {
  /** Origin of this installation. */
  origin: string;
  key: string;
  portal: string;
  /** '' when the list names it. */
  state: string;
  texts: { none: string; sent: string; failed: string; blocked: string };
}

/** Name of the value in the fragment of the desk's address. */
export const PAGE_PARAM = 'page';

// Runs in pages of portals, so it uses nothing of this app.
const SOURCE = `(async o=>{
const has=t=>/\\[\\d{4}_\\w+_\\d+/.test(t.textContent);
const tables=[...document.querySelectorAll('table')].filter(t=>has(t)&&![...t.querySelectorAll('table')].some(has));
if(!tables.length)return alert(o.texts.none);
const page='<!-- saved from url=('+String(location.origin.length+1).padStart(4,'0')+')'+location.origin+'/ -->'+tables.map(t=>t.outerHTML).join('');
const query=new URLSearchParams({format:'gepnic-list',portal:o.portal,name:o.portal+'.html'});
if(o.state)query.set('state',o.state);
let reply;
try{reply=await fetch(o.origin+'/api/import?'+query,{method:'POST',body:page,headers:{Authorization:'Bearer '+o.key},credentials:'omit'})}catch{}
if(reply){const a=await reply.json().catch(()=>({}));const p=a.problem?a.problem.text:reply.ok?'':a.message;
return alert(p===''?o.texts.sent+(a.counts?' '+a.counts.read+' / +'+a.counts.new:''):o.texts.failed+' '+p)}
const bytes=new Uint8Array(await new Response(new Blob([page]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
let text='';for(const b of bytes)text+=String.fromCharCode(b);
const to=o.origin+'/desk/data?'+new URLSearchParams({portal:o.portal,state:o.state})+'#${PAGE_PARAM}='+btoa(text).replaceAll('+','-').replaceAll('/','_');
if(!window.open(to))alert(o.texts.blocked)
})`;

/** The address of the bookmark. */
export const bookmarkletOf = (options: BookmarkletOptions): string =>
  `javascript:${encodeURIComponent(`${SOURCE.replaceAll('\n', '')}(${JSON.stringify(options)})`)}`;

/** The page in the fragment of an address; undefined without one, and for a damaged one. */
export async function pageOfFragment(fragment: string): Promise<Blob | undefined> {
  const text = new URLSearchParams(fragment.replace(/^#/, '')).get(PAGE_PARAM);
  if (!text) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).blob();
  } catch {
    return undefined;
  }
}

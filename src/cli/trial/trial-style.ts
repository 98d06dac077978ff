/** The style of a trial's page, in light and dark. */
export const TRIAL_STYLE = `:root{color-scheme:light dark;--line:#d1d9e0;--quiet:#59636e;--ground:#f6f8fa;--good:#1a7f37;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--line:#3d444d;--quiet:#9198a1;--ground:#151b23;--good:#3fb950;--bad:#f47067}}
body{font:15px/1.5 system-ui,sans-serif;margin:0}main{max-width:76rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.5rem}h3{font-size:1rem;margin:.5rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse}th,td{text-align:left;padding:.35rem .7rem;border-bottom:1px solid var(--line);vertical-align:top}
.wide td,.wide th{white-space:nowrap}.words td{white-space:normal}th,.note{color:var(--quiet);font-weight:500}
.bar{display:block;width:128px;height:10px}.rail,.span{stroke:var(--line);stroke-width:2}.span{stroke:currentColor}.bar circle{fill:currentColor}
details{border:1px solid var(--line);border-radius:6px;padding:.5rem .8rem;margin:.6rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
summary span{margin-left:.6rem;font-size:.85rem;white-space:nowrap}.yes{color:var(--good)}.no{color:var(--bad)}
.beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:1rem}.beside section{min-width:0}
code,pre{font:12px/1.45 ui-monospace,monospace}pre{background:var(--ground);padding:.6rem;overflow:auto;max-height:36rem;border-radius:6px}
.add{color:var(--good)}.del{color:var(--bad)}.head{color:var(--quiet)}`;

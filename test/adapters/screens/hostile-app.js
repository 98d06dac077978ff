// An app whose pages are ordinary, or try to break out of the browser that takes their pictures.
import { createServer } from "node:http";

const [, , port, hostPort] = process.argv;

const PAGES = {
  "/": `<style>@keyframes away { to { transform: translateX(300px); } } div { animation: away 1s infinite; width: 50px; height: 50px; background: green; }
        p { transition: color 5s; }</style><h1>Shop</h1><input autofocus><p id="time"></p><div></div>
        <script>time.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone; time.style.color = "blue"</script>`,
  "/blue": "<body style='background: rgb(0, 0, 255)'>",
  "/script-to-file": "<body style='background: rgb(0, 0, 255)'><script>location = 'file:///etc/passwd'</script>",
  "/frame-of-file":
    "<iframe src='file:///etc/passwd' width=300 height=200></iframe><script>fetch('file:///etc/passwd').catch(() => { document.body.style.background = 'rgb(0, 0, 255)' })</script>",
  "/script-to-cloud": "<script>location = 'http://169.254.169.254/latest/meta-data/'</script>",
  "/popups":
    "<body style='background: rgb(0, 0, 255)'><script>for (let at = 0; at < 50; at += 1) window.open('/blue?' + at)</script>",
  "/dialogs": "<body style='background: rgb(0, 0, 255)'><script>alert(1); confirm(2); prompt(3); print()</script>",
  "/endless-dialogs": "<script>for (;;) alert(1)</script>",
  "/endless-reload": "<script>location.reload()</script>",
  "/endless-script": "<script>for (;;);</script>",
  "/tall": "<body style='background: rgb(0, 0, 255)'><div style='height: 1000000px; width: 100000px'></div>",
};

const REDIRECTS = {
  "/to-file": "file:///etc/passwd",
  "/to-cloud": "http://169.254.169.254/latest/meta-data/",
  "/to-host": `http://127.0.0.1:${hostPort}/`,
};

function respond(request, response) {
  const path = request.url;
  if (path in REDIRECTS) return response.writeHead(302, { location: REDIRECTS[path] }).end();
  if (path === "/silent") return undefined;
  if (path === "/download") return response.writeHead(200, { "content-disposition": "attachment; filename=x" }).end("x");
  if (path === "/large") {
    response.setHeader("content-type", "text/html");
    const part = "<p>large</p>".repeat(100_000);
    let left = 90;
    const write = () => {
      while (left-- > 0) if (!response.write(part)) return response.once("drain", write);
      return response.end();
    };
    return write();
  }
  return response.setHeader("content-type", "text/html").end(PAGES[path] ?? "<h1>There is no such page</h1>");
}

createServer(respond).listen(Number(port), "localhost");

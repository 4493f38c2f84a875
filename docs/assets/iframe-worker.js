/* Pages that are opened from a folder may not start a worker, which the search needs:
   here a hidden frame does its work. Served pages keep the browser's own workers. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.append(frame);
      const within = frame.contentWindow;
      within.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      within.importScripts = () => {};
      this.ready = new Promise((resolve, reject) => {
        const script = within.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        within.document.body.append(script);
      });
      this.within = within;
    }
    postMessage(data) {
      const { within } = this;
      this.ready.then(() => within.dispatchEvent(new within.MessageEvent("message", { data })));
    }
    terminate() {}
  };
}

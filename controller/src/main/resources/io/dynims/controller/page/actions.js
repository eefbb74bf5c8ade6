// What a person can do about one tier: a command to copy, and links.

const GOOD_STATES = ['Enforcing', 'Recommending', 'Off'];
const COPIED_MILLIS = 2000;

export class Actions {
  constructor() {
    this.links = {};
    document.getElementById('copy').addEventListener('click', () => this.copy());
    fetch('/page/links.json')
      .then(response => (response.ok ? response.json() : {}))
      .then(links => (this.links = links))
      .catch(() => {});
  }

  draw(tier) {
    const { text, command } = pauseOf(tier);
    show('pause-text', text);
    show('pause-command', command);
    this.drawLinks(tier);
  }

  drawLinks(tier) {
    const wanted = [
      [GOOD_STATES.includes(tier.state) ? undefined : this.links.runbook, `What to do about ${tier.state}`],
      [this.links.dashboard, 'Dashboard'],
      [this.links.store, 'The store’s own page'],
    ]
      .filter(([url]) => url)
      .map(([url, text]) => [expand(url, tier), text]);
    const list = document.getElementById('links');
    const content = wanted.join('\n');
    if (list.dataset.content === content) return;
    list.dataset.content = content;
    list.hidden = wanted.length === 0;
    list.replaceChildren(
      ...wanted.map(([url, text]) => {
        const item = document.createElement('li');
        const anchor = item.appendChild(document.createElement('a'));
        anchor.href = url;
        anchor.rel = 'noreferrer';
        anchor.textContent = text;
        return item;
      }),
    );
  }

  async copy() {
    const command = document.getElementById('pause-command');
    const said = document.getElementById('copied');
    try {
      await navigator.clipboard.writeText(command.textContent);
      said.textContent = 'Copied';
    } catch {
      // Without https there is no clipboard for pages.
      getSelection().selectAllChildren(command);
      said.textContent = 'Selected: copy it with the keyboard';
    }
    setTimeout(() => (said.textContent = ''), COPIED_MILLIS);
  }
}

/** How to pause or resume the tier: a command on Kubernetes, otherwise a line of its policy file. */
function pauseOf({ node, policy, namespace, paused }) {
  if (namespace !== undefined) {
    const verb = paused ? 'resume' : 'pause';
    return {
      text: paused ? 'This tier is paused. To resume it:' : 'To pause this tier on this node:',
      command: `kubectl dynims ${verb} ${policy} --namespace ${namespace} --node ${node}`,
    };
  }
  return {
    text: paused
      ? `This tier is paused by an annotation in ${policy}: dynims.io/paused, or`
      : `To pause this tier on this node, add this to metadata.annotations in ${policy}:`,
    command: `dynims.io/paused-nodes: "${node}"`,
  };
}

function expand(url, tier) {
  return url.replace(/\{(node|tier|namespace|state)\}/g, (all, name) => encodeURIComponent(tier[name] ?? ''));
}

function show(id, text) {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
}

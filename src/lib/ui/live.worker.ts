/** The one event stream of a browser: pages connect here, and each gets what came after it was made. */
import { LiveStream, type LiveNews, type LiveState } from './liveStream.ts';

/**
 * A page says hello with the id of the last event that it knows of and the name of the account that it was made for,
 * null for a visitor, and bye when it goes.
 */
export type FromPage = { kind: 'hello'; after: string | null; by: string | null } | { kind: 'bye' };
export type ToPage = { kind: 'news'; news: LiveNews } | { kind: 'state'; state: LiveState };

/** Events that are kept for pages that were being made when they came. */
const KEPT = 500;

/** What the browser's own types leave out beside those of windows. */
interface SharedWorkerScope {
	onconnect: (event: { readonly ports: readonly MessagePort[] }) => void;
}

const pages = new Set<MessagePort>();
let kept: LiveNews[] = [];
/** Whose page the stream was opened for; undefined where it came back by itself, to whoever was logged in then. */
let openedFor: string | null | undefined;

const tellAll = (message: ToPage): void => {
	for (const page of pages) page.postMessage(message);
};

const stream = new LiveStream({
	news(news) {
		kept = [...kept.slice(1 - KEPT), news];
		tellAll({ kind: 'news', news });
	},
	state(state) {
		if (!state.live) openedFor = undefined;
		tellAll({ kind: 'state', state });
	}
});

const partsOf = (id: string): [run: string, n: number] => {
	const [run = '', n] = id.split('.', 2);
	return [run, Number(n)];
};

/** Behind which event the stream is opened again, so that neither this page nor those from before miss any. */
function earlier(after: string | null): string | null {
	const { last } = stream;
	if (after === null || last === null) return last ?? after;
	const [[run, n], [lastRun, lastN]] = [partsOf(after), partsOf(last)];
	return run === lastRun && n < lastN ? after : last;
}

/** What a page has missed that was made when `after` was the last event. */
function missedBy(after: string | null): LiveNews[] {
	const { last } = stream;
	if (after === null || last === null) return [];
	const [run, n] = partsOf(after);
	// Of another run: the server was started again, and tells this stream itself.
	if (partsOf(last)[0] !== run) return [];
	return kept.filter(({ id }) => {
		const [ofRun, number] = partsOf(id);
		return ofRun === run && number > n;
	});
}

(globalThis as unknown as SharedWorkerScope).onconnect = ({ ports: [page] }) => {
	if (!page) return;
	page.onmessage = ({ data }: MessageEvent<FromPage>) => {
		if (data.kind === 'bye') {
			pages.delete(page);
			page.close();
			if (pages.size === 0) stream.close();
			return;
		}
		pages.add(page);
		if (stream.state !== null) {
			page.postMessage({ kind: 'state', state: stream.state } satisfies ToPage);
		}
		for (const news of missedBy(data.after)) {
			page.postMessage({ kind: 'news', news } satisfies ToPage);
		}
		// A stream tells what those may know who were logged in when it was opened.
		if (data.by === openedFor) stream.connect(data.after);
		else stream.reopen(earlier(data.after));
		openedFor = data.by;
	};
};

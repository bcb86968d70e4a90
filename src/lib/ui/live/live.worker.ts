/**
 * The single event stream of a browser: pages connect to this shared worker, and each receives the events
 * since it was rendered.
 */
import { LiveStream, type LiveNews, type LiveState } from './liveStream.ts';

/**
 * A page sends `hello` with the last event id that it knows and the account that it was rendered for (null
 * for a visitor), and `bye` when it is left.
 */
export type FromPage = { kind: 'hello'; after: string | null; by: string | null } | { kind: 'bye' };
export type ToPage = { kind: 'news'; news: LiveNews } | { kind: 'state'; state: LiveState };

/** Number of events kept for pages that were being rendered when they arrived. */
const KEPT = 500;

/** Missing in TypeScript's DOM types. */
interface SharedWorkerScope {
	onconnect: (event: { readonly ports: readonly MessagePort[] }) => void;
}

const pages = new Set<MessagePort>();
let kept: LiveNews[] = [];
/**
 * Account whose page opened the stream; undefined after a reconnection, which uses whatever account was
 * signed in then.
 */
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

/** Returns the event after which to reopen the stream, so that neither this page nor earlier ones miss any. */
function earlier(after: string | null): string | null {
	const { last } = stream;
	if (after === null || last === null) return last ?? after;
	const [[run, n], [lastRun, lastN]] = [partsOf(after), partsOf(last)];
	return run === lastRun && n < lastN ? after : last;
}

/**
 * Returns the events since `after` for a page that connects. For a page that another server rendered than the one of
 * this stream they are not known: it reads all anew.
 */
function missedBy(after: string | null): LiveNews[] {
	const { last } = stream;
	if (after === null || last === null) return [];
	const [run, n] = partsOf(after);
	if (partsOf(last)[0] !== run) return [{ id: last, message: { type: 'reset' } }];
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
		// A stream contains only the events that the account at its opening may see.
		if (data.by === openedFor) stream.connect(data.after);
		else stream.reopen(earlier(data.after));
		openedFor = data.by;
	};
};

/** A page's end of the browser's event stream. */
import type { FromPage, ToPage } from './live.worker.ts';
import { LiveStream, type LiveListener } from './liveStream.ts';

/** What a page was made with. */
interface Made {
	/** Id of the last event before it; null for a page that comes back. */
	after: string | null;
	/** Name of the account; null for a visitor. */
	by: string | null;
}

/**
 * Listens until the returned function is called. All pages of a browser share one connection through a
 * shared worker; where there is none (Chrome on Android), or it cannot start, a page has its own.
 */
export function listen({ after, by }: Made, listener: LiveListener): () => void {
	let stop: () => void = () => undefined;
	const alone = (): void => {
		const stream = new LiveStream(listener);
		stream.connect(after);
		stop = () => stream.close();
	};
	if (typeof SharedWorker === 'undefined') {
		alone();
		return () => stop();
	}
	const worker = new SharedWorker(new URL('./live.worker.ts', import.meta.url), {
		type: 'module',
		name: 'komodeck-live'
	});
	const { port } = worker;
	const say = (message: FromPage): void => port.postMessage(message);
	port.onmessage = ({ data }: MessageEvent<ToPage>) => {
		if (data.kind === 'news') listener.news(data.news);
		else listener.state(data.state);
	};
	worker.onerror = () => {
		stop();
		alone();
	};
	// A page that goes away says so; one that comes back from the browser's memory begins anew.
	const leave = (): void => say({ kind: 'bye' });
	addEventListener('pagehide', leave);
	stop = () => {
		removeEventListener('pagehide', leave);
		leave();
		port.close();
	};
	say({ kind: 'hello', after, by });
	return () => stop();
}

/** A page's connection to the browser's event stream. */
import type { FromPage, ToPage } from './live.worker.ts';
import { LiveStream, type LiveListener } from './liveStream.ts';

/** What the page was rendered with. */
interface Made {
	/** Id of the last event before; null for a page restored from the back/forward cache. */
	after: string | null;
	/** Name of the account; null for a visitor. */
	by: string | null;
}

/**
 * Listens until the returned function is called. All pages of a browser share one connection through a
 * shared worker; where shared workers are not supported (Chrome on Android) or fail to start, the page
 * opens its own.
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
	// A page says when it is left; one that returns from the back/forward cache connects anew.
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

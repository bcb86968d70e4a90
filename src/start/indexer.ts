import { Worker } from 'node:worker_threads';

/** The thread of the indexer. */
export interface IndexerThread {
	/** Stops it; terminates a thread that does not stop in time. */
	stop(): Promise<void>;
}

interface IndexerThreadParts {
	/** Called when blocks of a chain were added to the index. */
	onWrite: (chain: string, height: number) => void;
	onError: (error: unknown) => void;
}

/** With its own heap limit a thread that runs out of memory ends alone and is restarted. */
const HEAP_MB = 1024;
const RESTART_MS = 5_000;
const GRACE_MS = 5_000;

/** Starts the thread, and restarts it when it ended by an error. */
export function startIndexer({ onWrite, onError }: IndexerThreadParts): IndexerThread {
	let stopping = false;
	let timer: NodeJS.Timeout | undefined;
	let worker: Worker | undefined;

	function launch(): void {
		const thread = new Worker(new URL('../lib/server/chains/indexer/worker.ts', import.meta.url), {
			resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 }
		});
		worker = thread;
		thread.on('message', (message: { kind: string; chain: string; height: number }) => {
			if (message.kind === 'written') onWrite(message.chain, message.height);
		});
		thread.on('error', onError);
		thread.on('exit', () => {
			// `stop` must not wait for the exit of a thread that has already exited.
			worker = undefined;
			if (stopping) return;
			timer = setTimeout(launch, RESTART_MS);
			timer.unref();
		});
	}
	launch();

	return {
		async stop() {
			stopping = true;
			clearTimeout(timer);
			if (!worker) return;
			const ended = new Promise<void>((done) => worker!.once('exit', () => done()));
			worker.postMessage('stop');
			const late = setTimeout(() => void worker!.terminate(), GRACE_MS);
			await ended;
			clearTimeout(late);
		}
	};
}

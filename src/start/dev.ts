/** `npm run dev`: serves the sources directly and applies each change at once. */
import { START_UP } from '#lib/messages/startUp.ts';
import type { Server } from 'node:http';
import { relative } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { ROOT } from './build.ts';
import { affectedBy } from './affected.ts';
import { endWith } from './endWith.ts';
import { serve, type Pages, type Product } from './serve.ts';

/**
 * Module that creates the application; a change of anything it imports makes Vite create a new instance of
 * it.
 */
const APPLICATION = '/src/lib/server/app.ts';
/** Delay after a change: editors write a file in several steps, and several files at once. */
const SETTLED_MS = 150;

interface ApplicationModule {
	getApp(): Promise<{ close(): Promise<void> }>;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Creates the application from the current sources.
 *
 * @returns a function that recreates it when the sources have changed; the previous one is closed first,
 *   because two would do the same work twice
 */
function createRenewal(vite: ViteDevServer): () => Promise<void> {
	let made: ApplicationModule | null = null;
	let last = Promise.resolve();
	const renew = async (): Promise<void> => {
		const now = (await vite.ssrLoadModule(APPLICATION)) as ApplicationModule;
		if (now.getApp === made?.getApp) return;
		const before = await made?.getApp().catch(() => undefined);
		await before?.close();
		made = now;
		await now.getApp();
	};
	return () => (last = last.then(renew, renew));
}

let vite: ViteDevServer;
let renew: () => Promise<void>;

async function openSources(server: Server): Promise<Pages> {
	vite = await createServer({
		root: ROOT,
		// The web server has already checked the host of the request.
		server: { middlewareMode: true, hmr: { server }, allowedHosts: true }
	});
	renew = createRenewal(vite);
	await renew();
	return {
		async handler(request, response, next) {
			// Errors in the code are shown by the page that Vite renders.
			await renew().catch(() => undefined);
			vite.middlewares(request, response, next);
		},
		close: () => vite.close()
	};
}

/** Applies changes that pages do not pick up themselves. */
function watch(product: Product): void {
	const changed = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	let last = Promise.resolve();
	const take = async (): Promise<void> => {
		const { application, devnet, indexer, entry } = affectedBy([...changed]);
		changed.clear();
		if (devnet) await product.restartDevnet();
		if (application) await renew();
		if (indexer) await product.restartIndexer();
		if (entry) say(START_UP.entryChanged);
	};
	const complain = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
	vite.watcher.on('all', (_event, path) => {
		changed.add(relative(ROOT, path));
		clearTimeout(timer);
		timer = setTimeout(() => (last = last.then(take).catch(complain)), SETTLED_MS);
	});
}

try {
	watch(await serve(openSources));
} catch (error) {
	endWith(error);
}

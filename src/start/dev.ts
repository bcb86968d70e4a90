/** `npm run dev`: serves the sources as they are, and takes each change of them at once. */
import { START_UP } from '#lib/messages/startUp.ts';
import type { Server } from 'node:http';
import { relative } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { ROOT } from './build.ts';
import { affectedBy } from './affected.ts';
import { endWith } from './endWith.ts';
import { serve, type Pages, type Product } from './serve.ts';

/** The module that makes the application; it makes another one after a change of anything that it imports. */
const APPLICATION = '/src/lib/server/app.ts';
/** Editors write a file in several steps, and several files at once. */
const SETTLED_MS = 150;

interface ApplicationModule {
	getApp(): Promise<{ close(): Promise<void> }>;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Makes the application in the code as it is now.
 *
 * @returns makes it anew where the code has changed; the one before is closed first, since two would do one work
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
		// This server has looked at the host of a request before.
		server: { middlewareMode: true, hmr: { server }, allowedHosts: true }
	});
	renew = createRenewal(vite);
	await renew();
	return {
		async handler(request, response, next) {
			// What is wrong in the code is shown by the page that comes of it.
			await renew().catch(() => undefined);
			vite.middlewares(request, response, next);
		},
		close: () => vite.close()
	};
}

/** Takes changes of what pages do not take by themselves. */
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

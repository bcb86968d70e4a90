/** What a read page weighs, and how long a start takes. */
import { gzipSync } from 'node:zlib';
import { startApp } from './processes.ts';
import { ms, type Measure } from './table.ts';

const LIMIT_KB = 80;

/** Gzipped size of all scripts that a page loads at once, in bytes: those it names, and what they import. */
async function scriptsOf(url: string, path: string): Promise<number> {
	const page = await fetch(url + path);
	const head = page.headers.get('link') ?? '';
	const html = await page.text();
	const named = [
		...html.matchAll(/["']([^"'\s]+\.js)["']/g),
		...head.matchAll(/<([^>]+\.js)>/g)
	].map(([, file]) => new URL(file!, url + path).href);
	// A set hands out what is added while it is gone through.
	const files = new Set(named);
	let bytes = 0;
	for (const file of files) {
		const script = await fetch(file);
		if (!script.ok) continue;
		const text = await script.text();
		bytes += gzipSync(text).length;
		for (const [, imported] of text.matchAll(/(?:from|import)\s*["']([^"']+\.js)["']/g)) {
			files.add(new URL(imported!, file).href);
		}
	}
	return bytes;
}

export async function measurePages(): Promise<Measure[]> {
	const app = await startApp(null);
	try {
		const block = '/chains/ALPHA/block/1';
		const paths = [
			'/',
			'/chains/ALPHA',
			'/chains/ALPHA/blocks',
			block,
			'/chains/ALPHA/tokens',
			'/transfers',
			'/decode'
		];
		const weights: Measure[] = [];
		for (const path of paths) {
			const kilobytes = (await scriptsOf(app.url, path)) / 1000;
			weights.push({
				what: `scripts of ${path}`,
				figure: `${kilobytes.toFixed(0)} kB gzipped`,
				goal: `at most ${LIMIT_KB} kB`,
				met: kilobytes > 1 && kilobytes <= LIMIT_KB
			});
		}
		return [
			{
				what: 'start of the built application with devnet, to its first page',
				figure: ms(app.startMs),
				goal: 'at most 5 s',
				met: app.startMs <= 5_000
			},
			...weights
		];
	} finally {
		await app.stop();
	}
}

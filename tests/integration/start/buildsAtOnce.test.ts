/**
 * Several processes of one folder that find the build outdated, like servers that start together after an
 * update.
 */
import { spawn } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../../..');
const root = mkdtempSync(join(tmpdir(), 'komodeck-builds-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Creates a small project that is built like this one: each build records its start and end. */
function makeProject(): void {
	for (const path of ['package.json', 'src/start', 'src/lib/messages', 'src/lib/text']) {
		cpSync(join(PROJECT, path), join(root, path), { recursive: true });
	}
	symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
	mkdirSync(join(root, 'static'));
	for (const file of ['package-lock.json', 'svelte.config.js', 'tsconfig.json']) {
		writeFileSync(join(root, file), '{}');
	}
	writeFileSync(join(root, 'src/handler.js'), 'export const handler = 1;\n');
	writeFileSync(
		join(root, 'vite.config.ts'),
		`import { appendFileSync } from 'node:fs';
		const tell = (line) => appendFileSync('builds.txt', line + '\\n');
		export default {
			plugins: [{ name: 'tell', buildStart: () => tell('begins'), closeBundle: () => tell('ends') }],
			build: { ssr: 'src/handler.js', outDir: 'build' }
		};`
	);
}

const BUILD = [process.execPath, 'src/start/build.ts'];
/** Removes root's right to write everywhere. */
const BOUND = ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'];

/** The output of a command in the project's folder, which must end with this status. */
async function said([command = '', ...args]: string[], status: number): Promise<string> {
	const child = spawn(command, args, { cwd: root });
	let text = '';
	child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
	expect(await new Promise((ended) => child.on('close', ended)), text).toBe(status);
	return text;
}

const build = (): Promise<string> => said(BUILD, 0);

test('of processes that want to build one folder at once, one builds and the others wait', async () => {
	makeProject();
	const texts = await Promise.all([build(), build(), build()]);
	expect(readFileSync(join(root, 'builds.txt'), 'utf8')).toBe('begins\nends\n');
	expect(texts.filter((text) => text.includes('Building the pages.'))).toHaveLength(1);
	expect(await said(['npm', 'run', 'build'], 0)).toContain('The build is up to date.');
});

test('a build ends with the process that began it', async () => {
	writeFileSync(join(root, 'src/handler.js'), 'export const handler = 3;\n');
	const config = join(root, 'vite.config.ts');
	const text = readFileSync(config, 'utf8');
	// It never comes to its end by itself, and tells who it is.
	writeFileSync(
		config,
		text.replace(
			"buildStart: () => tell('begins')",
			'buildStart: () => (tell(String(process.pid)), new Promise(() => setInterval(() => {}, 1_000)))'
		)
	);
	rmSync(join(root, 'builds.txt'));
	const child = spawn(process.execPath, ['src/start/build.ts'], { cwd: root });
	const builder = (): number => Number(readFileSync(join(root, 'builds.txt'), 'utf8'));
	await vi.waitFor(() => expect(builder()).toBeGreaterThan(0), { timeout: 60_000, interval: 20 });
	child.kill();
	const isThere = (): boolean => existsSync(`/proc/${builder()}`);
	if (process.platform === 'linux') {
		await vi.waitFor(() => expect(isThere()).toBe(false), { timeout: 30_000, interval: 20 });
	}
	writeFileSync(config, text);
	rmSync(join(root, 'builds.txt'));
	await build();
	expect(readFileSync(join(root, 'builds.txt'), 'utf8')).toBe('begins\nends\n');
});

test('a user who may not write to the folder hears who has to build it, and how', async () => {
	writeFileSync(join(root, 'src/handler.js'), 'export const handler = 2;\n');
	const line = process.getuid?.() === 0 ? [...BOUND, ...BUILD] : BUILD;
	const folders = [root, join(root, '.svelte-kit')];
	for (const folder of folders) chmodSync(folder, 0o555);
	try {
		const text = await said(line, 1);
		expect(text).toContain(`this user may not write to ${root}: run "npm run build" there`);
		expect(text).not.toMatch(/\n\s+at /);
	} finally {
		for (const folder of folders) chmodSync(folder, 0o755);
	}
});

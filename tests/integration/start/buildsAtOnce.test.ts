/** Several processes of one folder that find the build to be old, as servers do that start together after an update. */
import { spawn } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../../..');
const root = mkdtempSync(join(tmpdir(), 'komodeck-builds-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A project that builds as this one does, of one file: each build tells when it begins and ends. */
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

/** What a build says, once it has ended well. */
async function build(): Promise<string> {
	const child = spawn(process.execPath, ['src/start/build.ts'], { cwd: root });
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
	const status = await new Promise((ended) => child.on('close', ended));
	expect(status, said).toBe(0);
	return said;
}

test('of processes that want to build one folder at once, one builds and the others wait', async () => {
	makeProject();
	const said = await Promise.all([build(), build(), build()]);
	expect(readFileSync(join(root, 'builds.txt'), 'utf8')).toBe('begins\nends\n');
	expect(said.filter((text) => text.includes('Building the pages.'))).toHaveLength(1);
	expect(await build()).toContain('The build is up to date.');
});

/** Processes for measurements: canned daemons and the built application. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchProduct } from '../support/product.ts';

/** The same as in `npm start`. */
const FLAGS = ['--max-semi-space-size=16'];

export interface Process {
	url: string;
	child: ChildProcess;
	stop(): Promise<void>;
}

/**
 * Processor time that a process has used so far, with all its threads, in milliseconds (proc(5), ticks of 10
 * ms).
 */
export function processorMs({ child }: Pick<Process, 'child'>): number {
	const after = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1] ?? '';
	const fields = after.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function killed(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill('SIGKILL');
	await once(child, 'exit');
}

/** Starts a script that prints its port. */
export async function startScript(
	script: string,
	settings: Record<string, string> = {}
): Promise<Process> {
	const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
		env: { ...process.env, ...settings },
		stdio: ['pipe', 'pipe', 'inherit']
	});
	const [line] = (await once(child.stdout!, 'data')) as [Buffer];
	const url = `http://127.0.0.1:${line.toString().trim()}`;
	return { url, child, stop: () => killed(child) };
}

export interface AppProcess extends Process {
	dataDir: string;
	/** Milliseconds from the start of the process to its first response with a page. */
	startMs: number;
	/** Resident memory in MB. */
	memory(): number;
}

export const ADMIN = { user: 'bench', password: 'figures are measured here' };

/** Starts the built application with one canned daemon, or with devnet when none is given. */
export async function startApp(
	daemon: string | null,
	settings: Record<string, string> = {}
): Promise<AppProcess> {
	const dataDir = settings['KOMODECK_DATA'] ?? mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const config = join(dataDir, 'komodeck.json');
	if (daemon !== null) {
		const entry = { chain: 'ALPHA', url: daemon, user: 'bench', password: 'bench' };
		writeFileSync(config, JSON.stringify({ daemons: [entry] }));
	}
	const began = performance.now();
	const product = await launchProduct({
		flags: FLAGS,
		env: {
			KOMODECK_DATA: dataDir,
			KOMODECK_PUBLIC: '1',
			// One machine here sends as many requests as a whole team.
			KOMODECK_REQUESTS: '100000000',
			KOMODECK_CALLS: '100000000',
			KOMODECK_ADMIN_USER: ADMIN.user,
			KOMODECK_ADMIN_PASSWORD: ADMIN.password,
			...(daemon === null ? { KOMODO_HOME: join(dataDir, 'none') } : { KOMODECK_CONFIG: config }),
			...settings
		}
	});
	const { child } = product;
	const url = `http://127.0.0.1:${product.port}`;
	const first = await fetch(url);
	await first.text();
	const startMs = performance.now() - began;
	if (!first.ok) {
		await product.kill();
		throw new Error(`the first page answered ${first.status}`);
	}
	return {
		url,
		child,
		dataDir,
		startMs,
		memory: () =>
			Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
		async stop() {
			await product.stop();
			if (settings['KOMODECK_DATA'] === undefined)
				rmSync(dataDir, { recursive: true, force: true });
		}
	};
}

/**
 * Standard output for lines that nobody waits for. It may lead to a file on a disk that is full, or to a program that has
 * stopped to read: neither may keep the server from its work or from its end, and no error of it can be logged.
 */
import { write, writeSync } from 'node:fs';

const FD = 1;
/** Characters that wait at most; lines beyond are dropped, and counted. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Between two attempts. Milliseconds. */
const AGAIN_MS = 100;
/** What nobody has taken for so long is not waited for at the end. Milliseconds. */
const STUCK_MS = 1_000;

const codeOf = (error: unknown): string | undefined =>
	error instanceof Error && 'code' in error ? String(error.code) : undefined;

const droppedLine = (dropped: number): string =>
	`${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: 'lines of the log were dropped' })}\n`;

/** Where the log goes. */
interface StandardOutput {
	write(line: string): void;
}

function openStandardOutput(): StandardOutput {
	let waiting = '';
	let dropped = 0;
	/** What is on its way, and since when. */
	let going: { bytes: Buffer; since: number } | null = null;
	let isClosed = false;

	function next(): void {
		going = null;
		if (dropped > 0) waiting += droppedLine(dropped);
		dropped = 0;
		const bytes = Buffer.from(waiting);
		waiting = '';
		if (bytes.length > 0) send(bytes, performance.now());
	}

	function send(bytes: Buffer, since: number): void {
		going = { bytes, since };
		write(FD, bytes, (error, taken) => {
			if (codeOf(error) === 'EPIPE') {
				isClosed = true;
				waiting = '';
			} else if (error) setTimeout(() => send(bytes, since), AGAIN_MS).unref();
			else if (taken < bytes.length) send(bytes.subarray(taken), performance.now());
			else next();
		});
	}

	/** Once: what is not taken now is lost with the process. */
	process.once('exit', () => {
		const isStuck = going !== null && performance.now() - going.since > STUCK_MS;
		if (isClosed || isStuck || waiting === '') return;
		try {
			writeSync(FD, waiting);
		} catch {
			// There is nobody to tell.
		}
	});

	return {
		write(line) {
			if (isClosed) return;
			if (waiting.length + line.length > MOST_WAITING) dropped += 1;
			else waiting += line;
			if (going === null) next();
		}
	};
}

let opened: StandardOutput | undefined;

/** The standard output of this process. */
export const standardOutput = (): StandardOutput => (opened ??= openStandardOutput());

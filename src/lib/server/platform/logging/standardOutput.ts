/**
 * Non-blocking standard output. It may be redirected to a file on a full disk, or to a program that has stopped
 * reading: neither may block the server or its shutdown, and errors cannot be logged.
 */
import { write, writeSync } from 'node:fs';

const FD = 1;
/** Limit of buffered characters; further lines are dropped and counted. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Pause between two attempts. Milliseconds. */
const AGAIN_MS = 100;
/** A write that has made no progress for this long is not waited for at exit. Milliseconds. */
const STUCK_MS = 1_000;

const codeOf = (error: unknown): string | undefined =>
	error instanceof Error && 'code' in error ? String(error.code) : undefined;

const droppedLine = (dropped: number): string =>
	`${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: 'lines of the log were dropped' })}\n`;

/** Destination of the log. */
interface StandardOutput {
	write(line: string): void;
}

function openStandardOutput(): StandardOutput {
	let waiting = '';
	let dropped = 0;
	/** The write in progress, and when it last made progress. */
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

	/** At exit, one synchronous attempt: what is not written then is lost. */
	process.once('exit', () => {
		const isStuck = going !== null && performance.now() - going.since > STUCK_MS;
		if (isClosed || isStuck || waiting === '') return;
		try {
			writeSync(FD, waiting);
		} catch {
			// The error cannot be reported anywhere.
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

/** Returns the standard output of this process. */
export const standardOutput = (): StandardOutput => (opened ??= openStandardOutput());

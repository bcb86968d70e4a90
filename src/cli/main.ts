/** `npm run komodeck -- VERB …` in a process of its own. */
import { createInterface } from 'node:readline';
import { HELP } from '#lib/messages/commandLine.ts';
import { ownerOnlyFromNow } from '#lib/server/platform/config/ownerOnly.ts';
import { runCommand } from './run.ts';

async function readLine(): Promise<string> {
	const lines = createInterface({ input: process.stdin });
	for await (const line of lines) {
		lines.close();
		return line;
	}
	return '';
}

/**
 * Who reads may go (`| head`), and a disk may be full: what was begun is done to its end all the same, as a restored
 * backup is not whole before its last step. The exit code says that not all of it was told.
 */
for (const stream of [process.stdout, process.stderr]) {
	stream.on('error', ({ code }: NodeJS.ErrnoException) => {
		process.exitCode = 1;
		if (stream === process.stdout && code !== 'EPIPE') {
			process.stderr.write(`${HELP.unwritten(code ?? 'unknown error')}\n`);
		}
	});
}

ownerOnlyFromNow();
const code = await runCommand(process.argv.slice(2), {
	env: process.env,
	out: (line) => process.stdout.write(`${line}\n`),
	err: (line) => process.stderr.write(`${line}\n`),
	readLine
});
// What is lost after this says so itself.
if (code !== 0) process.exitCode = code;

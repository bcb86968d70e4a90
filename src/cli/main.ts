/** `npm run komodeck -- VERB …`: runs the command line as a process. */
import { createInterface } from 'node:readline';
import { HELP } from '#lib/messages/commandLine.ts';
import { ownerOnlyFromNow } from '#lib/server/platform/disk/ownerOnly.ts';
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
 * The reader of the output may exit (`| head`), or the disk may be full: the command still runs to its end,
 * because a restored backup, for example, is complete only after the last step. The exit code tells that
 * output was lost.
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
// Set only for a failure: output lost after this still sets its own exit code.
if (code !== 0) process.exitCode = code;

/** `npm run komodeck -- VERB …` in a process of its own. */
import { createInterface } from 'node:readline';
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

ownerOnlyFromNow();
process.exitCode = await runCommand(process.argv.slice(2), {
	env: process.env,
	out: (line) => process.stdout.write(`${line}\n`),
	err: (line) => process.stderr.write(`${line}\n`),
	readLine
});

/** Command line options of the tools for contributors. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/**
 * Reads the options of a tool. An unknown one ends the process with code 2 and the usage, before anything runs: a
 * mistyped option must neither start a long run nor look like a failed one.
 */
export function toolOptions<Options extends ParseArgsOptionsConfig>(
	options: Options,
	usage: string
) {
	try {
		return parseArgs({ options }).values;
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
		return process.exit(2);
	}
}

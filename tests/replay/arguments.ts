/** What somebody types behind `npm run replay --`. */
import { parseArgs } from 'node:util';

export interface Arguments {
	/** The daemons' own configuration files; empty with `devnet`. */
	files: readonly string[];
	/** A network of this profile is started and ended here, instead of daemons that somebody has. */
	devnet: string | null;
	/** Blocks are generated here, on regtest only. */
	mines: boolean;
	migrates: boolean;
	/** How long the replay waits for blocks and notarizations, in seconds. */
	timeout: number;
}

export const USAGE = `usage: npm run replay -- --daemon FILE --daemon FILE --daemon FILE [--mine] [--no-migrations] [--timeout SECONDS]
       npm run replay -- --devnet PROFILE [--no-migrations] [--timeout SECONDS]

FILE is the configuration file of a daemon: komodo.conf of KMD and NAME.conf of two chains with one ac_cc.
--mine generates blocks, which works on regtest only. Without it somebody else has to mine.
--timeout is how long to wait for blocks and notarizations; default 1800.`;

/** A command line that cannot be used; the message is for whoever typed it. */
export class ArgumentsError extends Error {
	override readonly name = 'ArgumentsError';
	readonly code = 'arguments';
}

const DAEMONS = 3;
const DEFAULT_TIMEOUT = '1800';

/** @throws {ArgumentsError} */
export function readArguments(args: readonly string[]): Arguments {
	let values;
	try {
		({ values } = parseArgs({
			args: [...args],
			options: {
				daemon: { type: 'string', multiple: true, default: [] },
				devnet: { type: 'string' },
				mine: { type: 'boolean', default: false },
				'no-migrations': { type: 'boolean', default: false },
				timeout: { type: 'string', default: DEFAULT_TIMEOUT }
			}
		}));
	} catch (cause) {
		throw new ArgumentsError(cause instanceof Error ? cause.message : String(cause));
	}
	const { daemon: files, devnet = null, mine, timeout } = values;
	if (devnet === null && files.length !== DAEMONS) {
		throw new ArgumentsError(`Name ${DAEMONS} configuration files, of KMD and two chains.`);
	}
	if (devnet !== null && (files.length > 0 || mine)) {
		throw new ArgumentsError('--devnet starts a network of its own, which takes no other option.');
	}
	if (!/^[1-9]\d{0,5}$/.test(timeout)) {
		throw new ArgumentsError('--timeout takes a whole number of seconds.');
	}
	return {
		files,
		devnet,
		mines: mine,
		migrates: !values['no-migrations'],
		timeout: Number(timeout)
	};
}

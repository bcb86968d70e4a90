/** The command line arguments of `npm run replay --`. */
import { parseArgs } from 'node:util';

export interface Arguments {
	/** The daemons' own configuration files; empty with `devnet`. */
	files: readonly string[];
	/** Starts and stops a network of this profile, instead of using existing daemons. */
	devnet: string | null;
	/** The replay generates blocks; regtest only. */
	mines: boolean;
	migrates: boolean;
	/** Maximum time that the replay waits for blocks and notarizations, in seconds. */
	timeout: number;
}

export const USAGE = `usage: npm run replay -- --daemon FILE --daemon FILE --daemon FILE [--mine] [--no-migrations] [--timeout SECONDS]
       npm run replay -- --devnet PROFILE [--no-migrations] [--timeout SECONDS]

FILE is the configuration file of a daemon: komodo.conf of KMD and NAME.conf of two chains with one ac_cc.
--mine generates blocks, which works on regtest only. Without it blocks must come from elsewhere.
--timeout is how long to wait for blocks and notarizations; default 1800.`;

/** Invalid command line arguments; the message is for the user. */
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
		throw new ArgumentsError(
			'--devnet starts a network of its own, so it goes without --daemon and --mine.'
		);
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

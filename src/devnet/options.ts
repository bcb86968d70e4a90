import { parseArgs } from 'node:util';
import { PORTS_USED } from './ports.ts';
import { profileNames } from './profile.ts';

export interface Options {
	dir: string;
	/** Undefined for the former ports of the folder's network, or free ones. */
	basePort: number | undefined;
	profile: string;
	seed: string | undefined;
	/** Blocks are mined only through the control API. */
	manual: boolean;
	/** Only funds the wallets: no tokens, notarizations or migrations. */
	bare: boolean;
	/** Asset chains have only just begun: Sapling is not active yet. */
	young: boolean;
	/** `datacarriersize` of the asset chains' daemons; undefined for the profile's default. */
	dataCarrierSize: number | undefined;
}

const USAGE = `usage: npm run devnet -- --dir DIR [--base-port N] [--profile ${profileNames.join('|')}] [--seed TEXT] [--manual] [--bare] [--young] [--datacarriersize N]`;

/** The command line is invalid; the message is for the user who typed it. */
export class OptionsError extends Error {
	readonly code = 'options';
	override readonly name = 'OptionsError';
}

export const readOptions = (args: readonly string[]): Options => {
	let values;
	try {
		({ values } = parseArgs({
			args: [...args],
			options: {
				dir: { type: 'string' },
				'base-port': { type: 'string' },
				profile: { type: 'string', default: 'fast' },
				seed: { type: 'string' },
				manual: { type: 'boolean', default: false },
				bare: { type: 'boolean', default: false },
				young: { type: 'boolean', default: false },
				datacarriersize: { type: 'string' }
			}
		}));
	} catch (cause) {
		throw new OptionsError(`${cause instanceof Error ? cause.message : String(cause)}\n${USAGE}`);
	}
	const written = values['base-port'];
	const port = written === undefined ? undefined : Number(written);
	if (values.dir === undefined || values.dir === '')
		throw new OptionsError(`--dir is missing\n${USAGE}`);
	if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65_535 - PORTS_USED)) {
		throw new OptionsError(`--base-port must be a port up to ${65_535 - PORTS_USED}\n${USAGE}`);
	}
	const size = values.datacarriersize;
	if (size !== undefined && !/^\d{1,5}$/.test(size)) {
		throw new OptionsError(`--datacarriersize must be a number of bytes\n${USAGE}`);
	}
	if (!profileNames.includes(values.profile)) {
		throw new OptionsError(`there is no profile ${values.profile}\n${USAGE}`);
	}
	return {
		dir: values.dir,
		basePort: port,
		profile: values.profile,
		seed: values.seed,
		manual: values.manual,
		bare: values.bare,
		young: values.young,
		dataCarrierSize: size === undefined ? undefined : Number(size)
	};
};

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KdfAccess } from './kdf/access.ts';

/** Credentials and port of one daemon, and its wallet's changes; they persist across restarts. */
export interface DaemonAccess {
	port: number;
	user: string;
	password: string;
	/** Number of keys that `getnewaddress` created. */
	newKeys: number;
	/** Imported private keys, hex. */
	importedKeys: string[];
	/** Addresses watched without their key. */
	watched?: string[];
	/** The `-pubkey` set at run time, hex. */
	pubkey?: string;
}

/** State of the network besides its chains. */
export interface NetworkRecord {
	format: 1;
	profile: string;
	seed: string;
	/** Unix seconds. */
	createdAt: number;
	/** Seconds by which the network's clock is ahead. */
	clockAhead: number;
	control: { port: number; password: string };
	daemons: { [id: string]: DaemonAccess };
	/** Settings of the trading node; absent in folders of earlier versions. */
	node?: KdfAccess;
	/** Whether the history is complete; false during a reset. */
	ready: boolean;
}

type DataFolderFault = 'other-profile' | 'damaged' | 'in-use';

/** The data folder cannot be used. */
export class DataFolderError extends Error {
	readonly code: DataFolderFault;

	constructor(code: DataFolderFault, message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'DataFolderError';
		this.code = code;
	}
}

/** Writes a file readable by its owner only, replacing it atomically. */
export const writePrivate = (file: string, text: string): void => {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const draft = `${file}.new`;
	writeFileSync(draft, text, { mode: 0o600 });
	chmodSync(draft, 0o600);
	renameSync(draft, file);
};

const fileIn = (dir: string): string => join(dir, 'state', 'network.json');

export const chainFolder = (dir: string, chain: string): string => join(dir, 'state', chain);

export const readRecord = (dir: string): NetworkRecord | null => {
	const file = fileIn(dir);
	if (!existsSync(file)) return null;
	try {
		const record = JSON.parse(readFileSync(file, 'utf8')) as NetworkRecord;
		if (record.format !== 1) throw new RangeError(`format ${String(record.format)}`);
		return record;
	} catch (cause) {
		throw new DataFolderError('damaged', `${file} cannot be read`, { cause });
	}
};

/**
 * Returns the first port of a network, which is that of its control API. The daemons follow, two ports apart (the
 * p2p port is in between).
 */
export const basePortOf = ({ control }: NetworkRecord): number => control.port;

export const writeRecord = (dir: string, record: NetworkRecord): void =>
	writePrivate(fileIn(dir), `${JSON.stringify(record, null, '\t')}\n`);

/** Creates credentials in the daemon's own format: `user<number>`, `pass<66 hex digits>`. */
export const newAccess = (port: number): DaemonAccess => ({
	port,
	user: `user${randomBytes(4).readUInt32LE(0)}`,
	password: `pass${randomBytes(33).toString('hex')}`,
	newKeys: 0,
	importedKeys: []
});

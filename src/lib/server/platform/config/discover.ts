import { CONFIG_NOTES } from '#lib/messages/configNotes.ts';
import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { parseConf, type ParsedConf } from './conf.ts';
import { MM2_FILE, readKdf } from './mm2.ts';
import { rpcAddress } from './rpcAddress.ts';
import type { DaemonConfig, KdfConfig, Purpose } from './types.ts';

/** The id of the trading node whose `MM2.json` is directly in the home folder. */
export const TRADING_NODE = 'trading-node';

/** Komodo daemon 0.9.0: default RPC port of the KMD daemon. */
const KMD_RPC_PORT = 7771;

interface Discovery {
	daemons: DaemonConfig[];
	/** Trading nodes, found by their `MM2.json`. */
	nodes: KdfConfig[];
	/** Why something that was found cannot be used, one sentence each. */
	notes: string[];
}

interface Entry {
	name: string;
	isFolder: boolean;
	isFile: boolean;
}

/** Follows symbolic links: data folders often point to another disk, and settings files into a mounted volume. */
function entryOf(folder: string, entry: Dirent): Entry[] {
	try {
		const what = entry.isSymbolicLink() ? statSync(join(folder, entry.name)) : entry;
		return [{ name: entry.name, isFolder: what.isDirectory(), isFile: what.isFile() }];
	} catch {
		// A dangling link.
		return [];
	}
}

/** Returns the entries of a folder by name. A folder that exists but cannot be read adds a note. */
function list(folder: string, notes: string[]): Entry[] {
	try {
		return readdirSync(folder, { withFileTypes: true })
			.flatMap((entry) => entryOf(folder, entry))
			.sort((a, b) => (a.name < b.name ? -1 : 1));
	} catch (cause) {
		const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
		if (!isMissing) notes.push(CONFIG_NOTES.unreadable(folder));
		return [];
	}
}

const isConf = (name: string): boolean => name.toLowerCase().endsWith('.conf');
const isKmdConf = (name: string): boolean => name.toLowerCase() === 'komodo.conf';

/** `BETA` in folder `BETA` is `BETA`; in folder `BETA-notary-1` it is `BETA:notary-1`. */
function daemonId(chain: string, folder: string | null): string {
	if (folder === null || folder === chain) return chain;
	const rest = folder.startsWith(chain)
		? folder.slice(chain.length).replace(/^[-:_.]+/, '')
		: folder;
	return `${chain}:${rest === '' ? folder : rest}`;
}

function purposesOf(id: string): readonly Purpose[] {
	return id.includes(':notary') ? ['notary'] : ['read', 'wallet'];
}

function readDaemon(
	file: string,
	chain: string,
	id: string,
	defaultPort: number | null,
	notes: string[]
): DaemonConfig | null {
	let conf: ParsedConf;
	try {
		conf = parseConf(readFileSync(file, 'utf8'));
	} catch {
		notes.push(CONFIG_NOTES.unreadable(file));
		return null;
	}
	const portText = conf.get('rpcport') ?? '';
	const address = rpcAddress(conf, portText === '' ? defaultPort : Number(portText));
	if (address === null) {
		notes.push(CONFIG_NOTES.noPort(file));
		return null;
	}
	const { host, port } = address;
	if (!Number.isInteger(port) || port < 1 || port > 65535) {
		notes.push(CONFIG_NOTES.invalidPort(file));
		return null;
	}
	const carrier = conf.get('datacarriersize');
	const ccid = conf.get('ac_cc');
	const acPubkey = conf.get('ac_pubkey') ?? null;
	return {
		id,
		chain,
		url: `http://${host}:${port}/`,
		credentials: { kind: 'conf', file },
		purposes: purposesOf(id),
		dialect: null,
		acImport: conf.get('ac_import') ?? null,
		acPubkey,
		dataCarrierSize: carrier !== undefined && /^\d+$/.test(carrier) ? Number(carrier) : null,
		expect: {
			ccid: ccid !== undefined && /^[1-9]\d*$/.test(ccid) ? Number(ccid) : null,
			pubkey: conf.get('pubkey') ?? null
		}
	};
}

/**
 * Finds the daemons of this machine by their configuration files: `HOME/komodo.conf` for KMD and one folder per
 * asset chain, `HOME/NAME/NAME.conf`. A second daemon of a chain has its own folder, such as
 * `HOME/BETA-notary-1/BETA.conf`. Trading nodes are found by `HOME/MM2.json` and `HOME/NAME/MM2.json`. A
 * missing home folder yields an empty result, not an error.
 */
export function discoverDaemons(home: string): Discovery {
	const notes: string[] = [];
	const daemons: DaemonConfig[] = [];
	const add = (file: string, chain: string, folder: string | null, port: number | null): void => {
		const daemon = readDaemon(file, chain, daemonId(chain, folder), port, notes);
		if (daemon === null) return;
		if (daemons.some((other) => other.id === daemon.id)) {
			notes.push(CONFIG_NOTES.secondDaemon(file, daemon.id));
			return;
		}
		daemons.push(daemon);
	};
	const nodes: KdfConfig[] = [];
	const addNode = (file: string, id: string): void => {
		const node = readKdf(file, id, notes);
		if (node !== null) nodes.push(node);
	};
	const entries = list(home, notes);
	if (entries.some((entry) => entry.isFile && entry.name === MM2_FILE)) {
		addNode(join(home, MM2_FILE), TRADING_NODE);
	}
	const kmd = entries.find((entry) => entry.isFile && isKmdConf(entry.name));
	if (kmd) add(join(home, kmd.name), MAIN_CHAIN, null, KMD_RPC_PORT);
	for (const { name } of entries.filter((entry) => entry.isFolder)) {
		const files = list(join(home, name), notes).filter((entry) => entry.isFile);
		if (files.some((entry) => entry.name === MM2_FILE)) {
			addNode(join(home, name, MM2_FILE), `${TRADING_NODE}:${name}`);
		}
		const confs = files.filter((entry) => isConf(entry.name));
		const only = confs[0];
		if (only === undefined) continue;
		if (confs.length > 1) {
			notes.push(CONFIG_NOTES.severalConfs(join(home, name)));
			continue;
		}
		if (isKmdConf(only.name)) add(join(home, name, only.name), MAIN_CHAIN, name, KMD_RPC_PORT);
		else {
			const chain = basename(only.name).slice(0, -'.conf'.length);
			add(join(home, name, only.name), chain, name, null);
		}
	}
	// The plain daemon of a chain comes first, so that it is the default choice.
	daemons.sort((a, b) => Number(a.id.includes(':')) - Number(b.id.includes(':')));
	return { daemons, nodes, notes };
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from './electrum/certificate.ts';
import type { ChainParams } from './ledger/api.ts';
import type { KdfAccess } from './kdf/access.ts';
import type { Rules } from './rpc/context.ts';
import { writePrivate, type DaemonAccess } from './store.ts';

/**
 * Returns the path of a daemon's configuration file: `komodo.conf` for KMD, otherwise in a folder of its own.
 */
export const confFile = (dir: string, id: string, chain: string): string =>
	chain === 'KMD' ? join(dir, 'komodo.conf') : join(dir, id, `${chain}.conf`);

/** Writes the configuration file that a real daemon would write, with the options it was started with. */
export const writeConf = (
	dir: string,
	id: string,
	params: ChainParams,
	access: DaemonAccess,
	pubkey: string,
	{ addressIndex, spentIndex, timestampIndex }: Rules
): void => {
	const chain = params.name;
	const options: [string, string | number | undefined][] = [
		['rpcuser', access.user],
		['rpcpassword', access.password],
		['rpcport', access.port],
		['server', 1],
		['txindex', 1],
		['addressindex', addressIndex ? 1 : undefined],
		['spentindex', spentIndex ? 1 : undefined],
		['timestampindex', timestampIndex ? 1 : undefined],
		['logevents', 1],
		['rpcworkqueue', 256],
		['rpcallowip', '127.0.0.1'],
		['rpcbind', '127.0.0.1'],
		['pubkey', pubkey],
		['datacarriersize', params.dataCarrierSize],
		['ac_cc', params.ccid === 0 ? undefined : params.ccid],
		['ac_import', params.acImport],
		['ac_pubkey', params.acPubkey]
	];
	const lines = options.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
	writePrivate(confFile(dir, id, chain), `${lines.join('\n')}\n`);
};

/** Writes the trading node's configuration file, as an operator would keep it. */
export const writeKdfConf = (
	dir: string,
	access: KdfAccess,
	{ hasEvents, certificate }: { hasEvents: boolean; certificate: Certificate | null }
): void => {
	const conf = {
		gui: 'komodeck devnet',
		netid: 8762,
		rpcip: '127.0.0.1',
		rpcport: access.port,
		rpc_password: access.password,
		passphrase: access.passphrase,
		enable_hd: access.isHd,
		disable_p2p: true,
		...(certificate === null ? {} : { https: true }),
		...(hasEvents ? { event_streaming_configuration: {} } : {})
	};
	writePrivate(join(dir, 'MM2.json'), `${JSON.stringify(conf, null, '\t')}\n`);
	if (certificate !== null) writePrivate(join(dir, 'cert.pem'), certificate.cert);
	else rmSync(join(dir, 'cert.pem'), { force: true });
};

/** A daemon's entry in `devnet.json`. */
export interface DevnetDaemon {
	/** `ALPHA`, or `BETA-notary-1` for a further daemon of BETA. */
	id: string;
	chain: string;
	url: string;
	user: string;
	password: string;
	pubkey: string;
}

/**
 * Writes `devnet.json`, which announces that the network is up and its addresses. `chains` has the first
 * daemon of each chain, `daemons` all of them.
 */
export const writeDevnetFile = (
	dir: string,
	daemons: readonly DevnetDaemon[],
	tradingNode: { url: string; password: string },
	control: { url: string; password: string }
): void => {
	const chains = daemons
		.filter(({ id, chain }) => id === chain)
		.map(({ chain, url, user, password, pubkey }) => ({
			name: chain,
			url,
			user,
			password,
			pubkey
		}));
	const text = JSON.stringify({ chains, daemons, tradingNode, control }, null, '\t');
	writePrivate(join(dir, 'devnet.json'), `${text}\n`);
};

/** Lists the parameters with which a daemon and its chain were started, as far as known. Pure. */
import { reported } from '#lib/rpc/tolerant.ts';
import type { DaemonInfo } from '../daemon/types.ts';
import type { ImportMode } from './importMode.ts';
import type { DaemonAnswers } from './read.ts';

/** One parameter and its source; `value` is null when it is not configured. */
interface StartParameter {
	name: string;
	value: string | null;
	from: 'getinfo' | 'configuration';
}

type Value = string | number | bigint | undefined | null;

/** Returns the start-up parameters. They contain no credential. */
export function startParameters(
	daemon: DaemonInfo,
	{ info }: DaemonAnswers,
	{ mode, pubkey }: ImportMode
): StartParameter[] {
	const own = info.kind === 'told' ? info.value : null;
	const told = (name: string, value: Value): StartParameter[] =>
		value === undefined || value === null
			? []
			: [{ name, value: String(value), from: 'getinfo' as const }];
	const written = (name: string, value: Value): StartParameter => ({
		name,
		value: value === undefined || value === null ? null : String(value),
		from: 'configuration'
	});
	const asset = daemon.chain !== 'KMD';
	return [
		...told('ac_name', asset ? own?.name : undefined),
		...(asset && own !== null ? told('ac_cc', own.CCid ?? 0) : []),
		...told('ac_supply', own?.premine),
		...told('eras', own?.eras),
		...told('ac_reward', own?.reward),
		...told('ac_halving', own?.halving),
		...told('ac_decay', own?.decay),
		...told('ac_end', own?.endsubsidy),
		...told('ac_notarypay', own?.notarypay),
		...told('ac_perc', own?.commission),
		...told('ac_staked', own?.staked),
		...told('ac_algo', own?.algo),
		...told('ac_sapling', own && reported(own, 'sapling')),
		...told('magic', own?.magic),
		...told('p2pport', own && reported(own, 'p2pport')),
		...told('rpcport', own && reported(own, 'rpcport')),
		...told('pubkey', own?.pubkey),
		...(asset ? [written('ac_import', mode), written('ac_pubkey', pubkey)] : []),
		written('datacarriersize', daemon.dataCarrierSize)
	];
}

/** Lists the parameters with which a daemon and its chain were started, as far as known. Pure. */
import { isMainChain } from '#lib/chain/mainChain.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
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

type Info = DaemonResult<'getinfo'>;

/** Returns the start-up parameters. They contain no credential. */
export function startParameters(
	daemon: DaemonInfo,
	{ info }: DaemonAnswers,
	{ mode, pubkey }: ImportMode
): StartParameter[] {
	const own = info.kind === 'told' ? info.value : null;
	const told = (name: string, member: keyof Info): StartParameter[] => {
		const value = own && reported(own, member);
		return value === undefined || value === null
			? []
			: [{ name, value: String(value), from: 'getinfo' as const }];
	};
	const written = (name: string, value: string | number | null): StartParameter => ({
		name,
		value: value === null ? null : String(value),
		from: 'configuration'
	});
	const asset = !isMainChain(daemon.chain);
	// A chain without crypto-conditions reports no CCid.
	const isOff = own !== null && reported(own, 'CCid') === undefined;
	const ccid = isOff
		? [{ name: 'ac_cc', value: '0', from: 'getinfo' as const }]
		: told('ac_cc', 'CCid');
	return [
		...(asset ? [...told('ac_name', 'name'), ...ccid] : []),
		...told('ac_supply', 'premine'),
		...told('eras', 'eras'),
		...told('ac_reward', 'reward'),
		...told('ac_halving', 'halving'),
		...told('ac_decay', 'decay'),
		...told('ac_end', 'endsubsidy'),
		...told('ac_notarypay', 'notarypay'),
		...told('ac_perc', 'commission'),
		...told('ac_staked', 'staked'),
		...told('ac_algo', 'algo'),
		...told('ac_sapling', 'sapling'),
		...told('magic', 'magic'),
		...told('p2pport', 'p2pport'),
		...told('rpcport', 'rpcport'),
		...told('pubkey', 'pubkey'),
		...(asset ? [written('ac_import', mode), written('ac_pubkey', pubkey)] : []),
		written('datacarriersize', daemon.dataCarrierSize)
	];
}

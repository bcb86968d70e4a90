/** The networks of the tour, and their known differences from the interface documents. */
import type { DocumentName } from './rows.ts';

/** The dialect of release 0.9.0 and of a released trading node, and that of the documents. */
export const PROFILES = ['fast', 'seed'] as const;

interface Difference {
	document: DocumentName;
	network: (typeof PROFILES)[number];
	rows: RegExp;
	why: string;
}

/** Rows that one network does not show, each group with the reason; the other network must show them. */
export const DIFFERENCES: readonly Difference[] = [
	{
		document: 'daemon',
		network: 'fast',
		rows: /^decoderawtransaction\/result\/size\/present$/,
		why: 'release 0.9.0 gives no size'
	},
	{
		document: 'daemon',
		network: 'seed',
		rows: /^decoderawtransaction\/result\/size\/absent$/,
		why: 'a daemon that speaks as the document does gives the size each time'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^form\/enable_eth_with_tokens\/nfts_infos\/list$/,
		why: 'a released node gives a map'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /\/result\/(?:coin\/absent|locked_by_swaps\/present)$/,
		why: 'a form of builds older than the released node that is played here'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^state\/InProgress\/Finishing$/,
		why: 'the last step of a released node is ActivatingCoin again'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^state\/InProgress\/WaitingForHardwareToConnect$/,
		why: 'a released node sets the device up by a task of its own, where the word is WaitingForTrezorToConnect'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /\/param\/(?:fallback_swap_contract|slp_tokens_requests|utxo_merge_params)\/omitted$/,
		why: 'a released node does without'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /\/param\/ticker=tBCH$/,
		why: 'the coins file of a released node has it as a plain UTXO coin'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^task::enable_bch::status\/result\/.*\.(?:total_balance|balance)\/absent$/,
		why: 'a released node gives balances whatever get_balances says'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^task::enable_bch::status\/result\/details\.result\./,
		why: 'a released node puts the error into details itself'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^error\/enable_eth_with_tokens\/(?:InternalError|PlatformCoinCreationError|PrivKeyNotAllowed)$/,
		why: 'the types of a released node are Internal, InvalidPayload and WalletConnectError'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^error\/sign_message\/(?:CoinIsNotFound|SigningError)$/,
		why: 'a released node says InternalError'
	},
	{
		document: 'trading-node',
		network: 'fast',
		rows: /^error\/legacy\/failure to get the gas price from the station$/,
		why: 'a released node takes no notice of gas stations'
	}
];

/** The reason why a network does not show a row; null if it must. */
export const differenceOf = (
	{ document, id }: { document: DocumentName; id: string },
	network: number
): string | null =>
	DIFFERENCES.find(
		(one) => one.document === document && one.network === PROFILES[network] && one.rows.test(id)
	)?.why ?? null;

/** The networks that neither show a row nor have a known difference; all of them if none shows it. */
export function silentNetworks(
	row: { document: DocumentName; id: string },
	marks: readonly (boolean | null)[]
): string[] {
	const isShown = marks.some((mark) => mark !== false);
	return PROFILES.filter(
		(_, network) => marks[network] === false && !(isShown && differenceOf(row, network) !== null)
	);
}

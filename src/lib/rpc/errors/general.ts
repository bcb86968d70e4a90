/** Errors of a daemon's JSON-RPC layer, independent of the method. (Komodo daemon 0.9.0.) */
import type { ErrorPattern } from './entry.ts';

export const generalErrors = [
	{
		code: 'general.not-json',
		says: /^(Parse error|Top-level object parse error)$/,
		turn: 'caller'
	},
	{ code: 'general.no-method', says: /^(Missing method|Method must be a string)$/, turn: 'caller' },
	{ code: 'general.params-not-array', says: 'Params must be an array', turn: 'caller' },
	{ code: 'general.batch-part', says: 'Invalid Request object', turn: 'caller' },
	{ code: 'general.method-unknown', says: 'Method not found', turn: 'caller' },
	{ code: 'general.wallet-disabled', says: 'Method not found (disabled)', turn: 'operator' },
	// Without on-demand mining, `generate` turns block templates off or on, and responds with these.
	{ code: 'general.templates-turned-off', says: 'Mining Disabled', turn: 'operator' },
	{ code: 'general.templates-turned-on', says: 'Mining Enabled', turn: 'operator' },
	{ code: 'general.templates-off', says: 'Mining is Disabled', turn: 'operator' },
	{
		code: 'general.no-mining-address',
		says: /^(?:Wallet disabled|komodod compiled without wallet) and -mineraddress not set$/,
		turn: 'operator'
	},
	{
		code: 'general.no-network',
		says: /^Komodo is (?:not connected!|downloading blocks\.\.\.)$/,
		turn: 'chain'
	},
	{
		code: 'general.starting',
		says: /^(RPC server started|Rewinding blocks if needed|Verifying blocks|Verifying wallet|Loading wallet|Loading block index|Rescanning|Pruning blockstore|Activating best chain|Loading addresses|Done loading)\b.*$/,
		turn: 'chain'
	},
	{ code: 'general.busy', says: /^Work queue depth exceeded$/, turn: 'chain' },
	{ code: 'general.not-post', says: 'JSONRPC server handles only POST requests', turn: 'caller' },
	{ code: 'general.safe-mode', says: /^Safe mode: /, turn: 'operator' },
	{ code: 'general.json-type', says: /^JSON value is not an? (\w+) as expected$/, turn: 'caller' },
	{ code: 'general.integer-range', says: 'JSON integer out of range', turn: 'caller' },
	{
		code: 'general.expected-type',
		says: /^Expected type \w+(?: for \w+)?, got \w+$/,
		turn: 'caller'
	},
	{
		code: 'general.member-unknown',
		says: /^(?:Missing \w+|Unexpected key \w+|Invalid parameter, expected object|expected object with \{[^]*\})$/,
		of: ['createrawtransaction', 'signrawtransaction', 'lockunspent'],
		turn: 'caller'
	},
	{
		code: 'general.param-not-hex',
		says: /^(?:argument|parameter) \d+ must be hexadecimal string \(not '[^]*'\)$/,
		turn: 'caller'
	},
	{
		code: 'general.member-not-hex',
		says: /^(?:[\w ]+ must be (?:of length \d+|hexadecimal string) \([^]*\)|Invalid parameter, expected hex txid)$/,
		turn: 'caller'
	},
	{ code: 'general.amount-type', says: 'Amount is not a number or string', turn: 'caller' },
	{ code: 'general.amount-invalid', says: 'Invalid amount', turn: 'caller' },
	{ code: 'general.amount-range', says: 'Amount out of range', turn: 'caller' },
	{
		code: 'general.block-unknown',
		says: /^(?:Block not found|Block not found in chain)$/,
		turn: 'caller'
	},
	{
		code: 'general.param-range',
		says: /^(?:Invalid block height parameter|Verbosity must be in range from 0 to 2|Invalid block count: should be between 0 and the block's height - 1|Not enough blocks to scan back that far\.|must be between 0 and 100 inclusive\.|Invalid parameter(?:, expected valid size\.)?|invalid height)$/,
		turn: 'caller'
	},
	{ code: 'general.block-taken-back', says: 'Block is not in main chain', turn: 'caller' },
	{
		code: 'general.no-staking',
		says: /^(?:Only applies to ac_staked chains|New PoS64 staker not active yet)$/,
		turn: 'nobody'
	},
	{
		code: 'general.not-counted',
		says: /^couldnt (?:extract minerids|calculate supply)$/,
		turn: 'caller'
	},
	{ code: 'general.key-unknown', says: 'cant find key', turn: 'caller' },
	{ code: 'general.key-length', says: /^(?:key too big|null key)$/, turn: 'caller' },
	{
		code: 'general.key-protected',
		says: /^(?:cant modify write once key without passphrase|error verifying sig, passphrase is probably wrong)$/,
		turn: 'caller'
	},
	{ code: 'general.height-range', says: 'Block height out of range', turn: 'caller' },
	{
		code: 'general.block-unreadable',
		says: /^(?:Can't read block from disk|Block not available \(pruned data\)|Failed to read index entry|Transaction index corrupt)$/,
		turn: 'operator'
	},
	{
		code: 'general.no-address-index',
		says: 'No information available for address',
		turn: 'operator'
	},
	{
		code: 'general.no-timestamp-index',
		says: 'No information available for block hashes',
		turn: 'operator'
	},
	{ code: 'general.no-spent-index', says: 'Unable to get spent info', turn: 'caller' },
	{
		code: 'general.unknown',
		says: /^(?:No information available about transaction|Invalid txid .*|No such mempool or blockchain transaction.*)$/,
		turn: 'caller'
	},
	{
		code: 'general.address-invalid',
		says: /^(?:Invalid Komodo address|Invalid address(?:es)?)(?:: .*)?$/,
		turn: 'caller'
	},
	{
		code: 'general.addresses',
		says: /^(?:Addresses is expected to be an array|Invalid addresse|Invalid parameter, duplicated address: .*)$/,
		turn: 'caller'
	},
	{
		code: 'general.height-bounds',
		says: /^(?:Start and end is expected to be greater than zero|End value is expected to be greater than start|Start or end is outside chain range)$/,
		turn: 'caller'
	},
	{ code: 'general.count-negative', says: /^Negative (?:count|from)$/, turn: 'caller' },
	{ code: 'general.address-no-key', says: 'Address does not refer to key', turn: 'caller' },
	{ code: 'general.signature-malformed', says: 'Malformed base64 encoding', turn: 'caller' },
	{ code: 'general.key-not-held', says: 'Private key not available', turn: 'operator' },
	{
		code: 'general.keys-used-up',
		says: /^(?:Error: )?(?:Keypool ran out, please call keypoolrefill first|Wallet keypool empty)$/,
		turn: 'operator'
	},
	{
		code: 'general.wallet-not-written',
		says: /^Error (?:refreshing keypool\.|adding (?:key|address|p2sh redeemScript) to wallet)$/,
		turn: 'operator'
	},
	{
		code: 'general.key-held',
		says: 'The wallet already contains the private key for this address or script',
		turn: 'nobody'
	},
	{ code: 'general.node-not-added', says: 'Error: Node has not been added.', turn: 'caller' },
	{ code: 'general.no-notary-pay', says: 'only works for ac_notarypay chains', turn: 'nobody' },
	{
		code: 'general.wallet-locked',
		says: /^Error: Please enter the wallet passphrase with walletpassphrase first\.?$/,
		turn: 'operator'
	}
] as const satisfies readonly ErrorPattern[];

export type GeneralErrorCode = (typeof generalErrors)[number]['code'];

/** Refusals that come from the JSON-RPC layer of a daemon, whatever the method. (Komodo daemon 0.9.0.) */
import type { ErrorText } from './entry.ts';

const OTHER_VALUE = 'Correct the value and ask again.';

export const generalErrors: readonly ErrorText[] = [
	{
		says: /^(Parse error|Top-level object parse error)$/,
		what: 'The request is not JSON that a daemon can read.',
		turn: 'caller',
		next: 'Send one JSON object, or an array of them.'
	},
	{
		says: /^(Missing method|Method must be a string)$/,
		what: 'The request names no method.',
		turn: 'caller',
		next: 'Put the method’s name as text into the member "method".'
	},
	{
		says: 'Params must be an array',
		what: 'The parameters are not a list.',
		turn: 'caller',
		next: 'Give the parameters in their order, as an array; names are not understood.'
	},
	{
		says: 'Invalid Request object',
		what: 'One part of a batch is not a call.',
		turn: 'caller',
		next: 'Make each part an object with a method.'
	},
	{
		says: 'Method not found',
		what: 'This daemon has no method of this name. Capital letters count.',
		turn: 'caller',
		next: 'Look the name up in the daemon’s "help"; a newer or another daemon may have it.'
	},
	{
		says: 'Method not found (disabled)',
		what: 'The method needs a wallet, and this daemon runs without one.',
		turn: 'operator',
		next: 'Use a daemon that has a wallet, or start this one without disablewallet.'
	},
	{
		says: 'Mining Disabled',
		what: 'This daemon was built without mining.',
		turn: 'operator',
		next: 'Use another daemon for it.'
	},
	{
		says: /^(RPC server started|Rewinding blocks if needed|Verifying blocks|Verifying wallet|Loading wallet|Loading block index|Rescanning|Pruning blockstore|Activating best chain|Loading addresses|Done loading)\b.*$/,
		what: 'The daemon is still starting.',
		turn: 'chain',
		next: 'Wait until it is ready; nothing needs to be done.'
	},
	{
		says: /^Work queue depth exceeded$/,
		what: 'The daemon has more requests waiting than it takes.',
		turn: 'chain',
		next: 'Ask again in a moment. If it stays so, its operator can raise rpcworkqueue.'
	},
	{
		says: 'JSONRPC server handles only POST requests',
		what: 'The daemon was asked by another kind of HTTP request than POST.',
		turn: 'caller',
		next: 'Send the call as a POST.'
	},
	{
		says: /^Safe mode: /,
		what: 'The daemon sees a fork that worries it, and takes no payments meanwhile.',
		turn: 'operator',
		next: 'Compare its newest block with that of other nodes, and act only when they agree.'
	},
	{
		says: /^JSON value is not an? (\w+) as expected$/,
		what: 'A parameter is of another JSON type than the daemon expects.',
		turn: 'caller',
		next: 'Many numbers must be sent as text here; heights of some methods must be numbers. See the method’s form.'
	},
	{
		says: 'JSON integer out of range',
		what: 'A number has more than 32 bits, or a fraction.',
		turn: 'caller',
		next: OTHER_VALUE
	},
	{
		says: /^Expected type \w+, got \w+$/,
		what: 'A parameter is of another JSON type than the daemon expects.',
		turn: 'caller',
		next: OTHER_VALUE
	},
	{
		says: /^(?:Missing \w+|Unexpected key \w+)$/,
		of: ['createrawtransaction', 'signrawtransaction'],
		what: 'A member of a parameter is missing or not known.',
		turn: 'caller',
		next: OTHER_VALUE
	},
	{
		says: /^(?:argument|parameter) \d+ must be hexadecimal string \(not '[^]*'\)$/,
		what: 'A parameter is not hexadecimal.',
		turn: 'caller',
		next: 'Use the digits 0 to 9 and a to f, an even number of them.'
	},
	{
		says: /^[\w ]+ must be (?:of length \d+|hexadecimal string) \([^]*\)$/,
		what: 'A member of a parameter is not a hexadecimal id.',
		turn: 'caller',
		next: 'Ids have 64 digits, 0 to 9 and a to f.'
	},
	{
		says: 'Amount is not a number or string',
		what: 'An amount is neither a number nor text.',
		turn: 'caller',
		next: OTHER_VALUE
	},
	{
		says: 'Invalid amount',
		what: 'An amount is not a decimal number with at most 8 decimals.',
		turn: 'caller',
		next: OTHER_VALUE
	},
	{
		says: 'Amount out of range',
		what: 'An amount is negative, or larger than all coins.',
		turn: 'caller',
		next: OTHER_VALUE
	},
	{
		says: /^(?:Block not found|Block not found in chain)$/,
		what: 'The daemon knows no such block.',
		turn: 'caller',
		next: 'Check the hash and the chain. A block that was made a moment ago may not have come here yet.'
	},
	{
		says: /^(?:Invalid block height parameter|Verbosity must be in range from 0 to 2)$/,
		what: 'A parameter is outside what the method takes.',
		turn: 'caller',
		next: OTHER_VALUE
	},
	{
		says: 'Block height out of range',
		what: 'The chain has no block at this height.',
		turn: 'caller',
		next: 'Ask for a height between 0 and the newest block.'
	},
	{
		says: /^(?:Can't read block from disk|Block not available \(pruned data\))$/,
		what: 'The daemon cannot read this block any more.',
		turn: 'operator',
		next: 'Use a daemon that keeps all blocks, or have this one load the chain again.'
	},
	{
		says: 'No information available for address',
		what: 'The daemon keeps no address index.',
		turn: 'operator',
		next: 'Start it with addressindex=1 and reindex once; until then it tells nothing about addresses.'
	},
	{
		says: 'No information available for block hashes',
		what: 'The daemon keeps no index of the times of blocks.',
		turn: 'operator',
		next: 'Start it with timestampindex=1 and reindex once, or look the blocks up by height.'
	},
	{
		says: 'Unable to get spent info',
		what: 'The daemon knows no transaction that spends this output, or keeps no index of them.',
		turn: 'caller',
		next: 'It may be unspent. A daemon that was started with spentindex=1 knows for certain.'
	},
	{
		says: /^(?:No information available about transaction|Invalid txid .*|No such mempool or blockchain transaction.*)$/,
		what: 'The daemon knows nothing about what was asked for.',
		turn: 'caller',
		next: 'Check the id and the chain. Something sent a moment ago may not have come here yet.'
	},
	{
		says: /^(?:Invalid Komodo address|Invalid address)(?:: .*)?$/,
		what: 'This is not an address of the chain.',
		turn: 'caller',
		next: 'Check it letter by letter, or paste it again.'
	},
	{
		says: /^(?:Addresses is expected to be an array|Invalid parameter, duplicated address: .*)$/,
		what: 'The list of addresses cannot be used.',
		turn: 'caller',
		next: 'Give a list that names each address once.'
	},
	{
		says: /^Negative (?:count|from)$/,
		what: 'A count is negative.',
		turn: 'caller',
		next: 'Use zero or more.'
	},
	{
		says: 'only works for ac_notarypay chains',
		what: 'This chain does not pay its notaries, so there is nothing to tell.',
		turn: 'nobody',
		next: 'Ask a chain that was started with ac_notarypay.'
	},
	{
		says: /^Error: Please enter the wallet passphrase with walletpassphrase first\.?$/,
		what: 'The wallet of the daemon is locked.',
		turn: 'operator',
		next: 'Its operator unlocks it; then try again.'
	}
];

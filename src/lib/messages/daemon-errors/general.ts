import type { GeneralErrorCode } from '#lib/rpc/errors/general.ts';
import type { ErrorWords } from './words.ts';

export const general = {
	'general.not-json': {
		what: 'The request is not valid JSON.',
		next: 'Send one JSON object, or an array of them.'
	},
	'general.no-method': {
		what: 'The request does not name a method.',
		next: 'Set the member "method" to the name of the method.'
	},
	'general.params-not-array': {
		what: 'The parameters are not an array.',
		next: 'Send the parameters in order, as an array; names are not supported.'
	},
	'general.batch-part': {
		what: 'One part of the batch is not a call.',
		next: 'Make each part an object with a method.'
	},
	'general.method-unknown': {
		what: 'This daemon does not have a method of this name. Names are case-sensitive.',
		next: 'Look the name up in the daemon’s "help". Another or a newer daemon may have it.'
	},
	'general.wallet-disabled': {
		what: 'The method needs a wallet, and this daemon runs without one.',
		next: 'Use a daemon that has a wallet, or start this one without disablewallet.'
	},
	'general.templates-turned-off': {
		what: 'This chain makes no blocks on demand. The call turned the daemon’s block templates off.',
		next: 'To mine, use setgenerate. Call generate with another number than 1 to turn block templates on again.'
	},
	'general.templates-turned-on': {
		what: 'This chain makes no blocks on demand. The call turned the daemon’s block templates on.',
		next: 'To mine, use setgenerate.'
	},
	'general.templates-off': {
		what: 'Block templates are turned off at this daemon.',
		next: 'Call generate with another number than 1 to turn them on.'
	},
	'general.no-mining-address': {
		what: 'The daemon has no wallet and no address for mined coins.',
		next: 'Start it with a wallet or with mineraddress.'
	},
	'general.no-network': {
		what: 'The daemon has no connection to other daemons, or is still downloading blocks.',
		next: 'Try again when it is connected and synced.'
	},
	'general.starting': {
		what: 'The daemon is still starting.',
		next: 'Wait until the daemon is ready; no action is needed.'
	},
	'general.busy': {
		what: 'The daemon’s request queue is full.',
		next: 'Try again in a moment. If the error remains, the operator can raise rpcworkqueue.'
	},
	'general.not-post': {
		what: 'The request was not an HTTP POST.',
		next: 'Send the call as a POST.'
	},
	'general.safe-mode': {
		what: 'The daemon is in safe mode because of a possible fork, and accepts no payments.',
		next: 'Compare its tip with other daemons, and continue only when they agree.'
	},
	'general.json-type': {
		what: 'A parameter has another JSON type than the daemon expects.',
		next: 'Many numbers must be sent as text; heights of some methods must be numbers. See the method’s form.'
	},
	'general.integer-range': {
		what: 'A number is larger than 32 bits or has a fraction.',
		next: 'Correct the value and try again.'
	},
	'general.expected-type': {
		what: 'A parameter has another JSON type than the daemon expects.',
		next: 'Correct the value and try again.'
	},
	'general.member-unknown': {
		what: 'A member of a parameter is missing or unknown.',
		next: 'Correct the value and try again.'
	},
	'general.param-not-hex': {
		what: 'A parameter is not hexadecimal.',
		next: 'Use the digits 0 to 9 and a to f, an even number of them.'
	},
	'general.member-not-hex': {
		what: 'A member of a parameter is not a hexadecimal ID.',
		next: 'IDs have 64 digits, 0 to 9 and a to f.'
	},
	'general.amount-type': {
		what: 'An amount is neither a number nor text.',
		next: 'Correct the value and try again.'
	},
	'general.amount-invalid': {
		what: 'An amount is not a decimal number with at most 8 decimals.',
		next: 'Correct the value and try again.'
	},
	'general.amount-range': {
		what: 'An amount is negative, or larger than the possible supply.',
		next: 'Correct the value and try again.'
	},
	'general.block-unknown': {
		what: 'The daemon does not know this block.',
		next: 'Check the hash and the chain. A new block may not have arrived yet.'
	},
	'general.param-range': {
		what: 'A parameter is out of range.',
		next: 'Correct the value and try again.'
	},
	'general.block-taken-back': {
		what: 'The block is not in the chain.',
		next: 'Check the hash. A reorganization may have taken the block back.'
	},
	'general.no-staking': {
		what: 'This chain does not stake, or not in this way yet.',
		next: 'Use a chain that was started with ac_staked.'
	},
	'general.not-counted': {
		what: 'The daemon has no data for this height.',
		next: 'Try another height.'
	},
	'general.key-unknown': {
		what: 'The chain’s key-value store does not have this key.',
		next: 'Check the key. A new value may not be confirmed yet, an old one may have expired.'
	},
	'general.key-length': {
		what: 'The key is empty or too long.',
		next: 'Enter a shorter key.'
	},
	'general.key-protected': {
		what: 'The value is protected, and the passphrase is missing or wrong.',
		next: 'Use the passphrase that the key was written with, or another key.'
	},
	'general.height-range': {
		what: 'The chain has no block at this height.',
		next: 'Enter a height between 0 and the tip.'
	},
	'general.block-unreadable': {
		what: 'The daemon can no longer read this block.',
		next: 'Use a daemon that keeps all blocks, or let this one sync again.'
	},
	'general.no-address-index': {
		what: 'The daemon has no address index.',
		next: 'Restart the daemon with addressindex=1 and -reindex. Until then address data is not available.'
	},
	'general.no-timestamp-index': {
		what: 'The daemon has no timestamp index.',
		next: 'Restart the daemon with timestampindex=1 and -reindex, or look blocks up by height.'
	},
	'general.no-spent-index': {
		what: 'No known transaction spends this output, or the daemon has no spent index.',
		next: 'The output may be unspent. A daemon with spentindex=1 can tell.'
	},
	'general.unknown': {
		what: 'The daemon does not know this transaction.',
		next: 'Check the txid and the chain. A new transaction may not have arrived yet.'
	},
	'general.address-invalid': {
		what: 'This is not an address of the chain.',
		next: 'Check each character, or paste the address again.'
	},
	'general.addresses': {
		what: 'The list of addresses is not valid.',
		next: 'List each address once.'
	},
	'general.height-bounds': {
		what: 'The range of heights is not valid.',
		next: 'Enter heights from 1 to the tip, the lower one first.'
	},
	'general.count-negative': { what: 'A count is negative.', next: 'Enter zero or more.' },
	'general.address-no-key': {
		what: 'The address does not belong to a single key.',
		next: 'Use an address of one key. Addresses of scripts cannot sign messages.'
	},
	'general.signature-malformed': {
		what: 'The signature is not in base64.',
		next: 'Paste the complete signature.'
	},
	'general.key-not-held': {
		what: 'The daemon’s wallet does not hold the private key of this address.',
		next: 'Use an address of the wallet, or a daemon whose wallet holds the key.'
	},
	'general.keys-used-up': {
		what: 'The daemon’s wallet has no unused key left.',
		next: 'Unlock the wallet if it is locked, and call keypoolrefill.'
	},
	'general.wallet-not-written': {
		what: 'The daemon could not write its wallet.',
		next: 'Check its disk and whether the wallet is unlocked.'
	},
	'general.key-held': {
		what: 'The wallet already holds the private key of this address, so it already sees its coins.',
		next: 'No import is needed.'
	},
	'general.node-not-added': {
		what: 'No such peer was added to the daemon.',
		next: 'Leave the peer out to list all that were added.'
	},
	'general.no-notary-pay': {
		what: 'This chain does not pay its notaries, so there is no data.',
		next: 'Use a chain that was started with ac_notarypay.'
	},
	'general.wallet-locked': {
		what: 'The daemon’s wallet is locked.',
		next: 'Ask the operator to unlock it, then try again.'
	}
} as const satisfies Record<GeneralErrorCode, ErrorWords>;

/**
 * Tests of promises of the trading node's document that the tour through the networks cannot cover. Reviewed by
 * hand; renaming or removing a test makes its rows gaps.
 */
import type { Claims } from './claims.ts';

export const NODE_CLAIMS: Claims = {
	'rule/What the service does/1': [
		'tests/integration/devnet/kdf.test.ts › activates a platform with its tokens and NFTs, and signs as on Ethereum',
		'tests/integration/devnet/kdf.test.ts › uses the daemon of a coin where it finds its configuration'
	],
	'rule/What the service does/3': [
		'tests/integration/activation/activation.test.ts › says in words what the older calls answer: %s'
	],
	'rule/What the service does/5': [
		'tests/integration/devnet/kdf.test.ts › gives an address, a balance and a signature that another library takes'
	],
	'envelope/Version 2/userpass': [
		'tests/faults/kdfGateway.test.ts › gets its password in every call but the open one, and nothing else beside the parameters'
	],
	'envelope/Version 2/method': [
		'tests/faults/kdfProxy.test.ts › of any form, or of none, gets an answer in the node’s form, and nothing of it breaks the door'
	],
	'envelope/Version 2/mmrpc': [
		'tests/faults/kdfProxy.test.ts › is answered in the envelope it came in, with the caller’s id; errors are the node’s own'
	],
	'envelope/Version 2/params': [
		'tests/faults/kdfProxy.test.ts › takes either spelling and refuses what no node would take, in the node’s words'
	],
	'envelope/Version 2/id': [
		'tests/faults/kdfProxy.test.ts › is answered in the envelope it came in, with the caller’s id; errors are the node’s own'
	],
	'envelope/Legacy methods': [
		'tests/faults/kdfProxy.test.ts › is answered in the envelope it came in, with the caller’s id; errors are the node’s own'
	],
	'envelope/Version 2 success': [
		'tests/faults/kdfProxy.test.ts › is answered in the envelope it came in, with the caller’s id; errors are the node’s own'
	],
	'envelope/Version 2 error': [
		'tests/faults/kdfProxy.test.ts › is answered in the envelope it came in, with the caller’s id; errors are the node’s own'
	],
	'envelope/Legacy success': [
		'tests/faults/kdfProxy.test.ts › is answered in the envelope it came in, with the caller’s id; errors are the node’s own'
	],
	'rule/Authentication/1': [
		'tests/faults/kdfGateway.test.ts › gets its password in every call but the open one, and nothing else beside the parameters'
	],
	'rule/Versioning/1': [
		'tests/faults/kdfProxy.test.ts › is answered in the envelope it came in, with the caller’s id; errors are the node’s own'
	],
	'rule/Versioning/2': [
		'tests/integration/devnet/kdf.test.ts › activates BCH with its own addresses and keeps a history'
	],
	'rule/Versioning/3': [
		'tests/integration/devnet/kdfSeed.test.ts › uses the words of the document for NFTs, remote signers and faults of a platform'
	]
};

/** Texts of the OpenRPC descriptions of the RPC API. */
import type { Failure } from '#lib/rpc/method.ts';

const FAILURES: Readonly<Record<Failure, string>> = {
	rpc: 'a JSON-RPC error',
	soft: 'HTTP 200 with "result": "error" and the reason in "error"',
	member: 'HTTP 200 with a member "error" in the result',
	'minus-one': 'HTTP 200 with the number -1 as the result'
};

export const openRpc = {
	failures: (failures: readonly Failure[]): string =>
		`Reports a failure as ${failures.map((failure) => FAILURES[failure]).join(', or ')}.`,
	/** Description of the error code for denials by policy. */
	byPolicy: 'Not made: a rule of the policies refuses the call, or others have to approve it first',
	recorded: (method: string): string => `${method} as recorded`,
	daemons: {
		title: 'Komodeck: chain daemons',
		description:
			'JSON-RPC of Komodo chain daemons behind one address. Send an API token as `Authorization: Bearer TOKEN`, or as the password of Basic credentials with your name. Methods that `x-access` does not allow for your role are answered as unknown; those of the class `never` are refused for every role. Amounts are numbers with 8 decimals: read them as text.'
	},
	nodes: {
		title: 'Komodeck: trading nodes',
		description:
			'The trading node’s own interface behind one address. Send an API token as `Authorization: Bearer TOKEN` or as `userpass`: Komodeck adds the password of the node. Methods that `x-access` does not allow for your role are refused. Servers and swap contracts that are not in the coins file or on an admin’s list, remote signers and custom tokens are for admins.',
		envelopes: {
			legacy:
				'Put the parameters at the top of the body beside `method`; the answer is the bare result.',
			v2: 'Send `mmrpc`: "2.0", `method`, `params` and an optional integer `id`.'
		},
		legacyError: 'a text in "error"'
	},
	/** For daemons and trading nodes. */
	idempotency:
		'A call that changes something can have the header `Idempotency-Key` with 8 to 128 visible characters. The same key with the same body within a day does not repeat the call: it returns the first answer. Status 422 means that the key was used with another body, 409 that the first call is still in progress or that its answer was lost. A refusal is not stored, so the call can be tried again. Calls that hold or return a secret, such as a passphrase, a private key or a PIN, do not accept a key: status 400.'
} as const;

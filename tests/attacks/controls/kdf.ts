/** Controls of the RPC API for trading nodes. */
import type { Control } from './control.ts';

export const kdfControls: readonly Control[] = [
	{
		name: 'node-userpass',
		stops: 'Whoever may call the door brings passwords of a trading node along.',
		edits: [
			{
				file: 'src/lib/server/rpc-proxy/kdf/nodeDoor.ts',
				text: "if ((item['userpass'] ?? null) !== null) {",
				replacement: "if ((item['userpass'] ?? null) !== null && stands('node-userpass')) {"
			}
		],
		attacks: ['password-brought-to-the-node']
	},
	{
		name: 'node-method-role',
		stops:
			'A role signs, activates or disables at a trading node what it may not, or gets its keys.',
		edits: [
			{
				file: 'src/lib/server/rpc-proxy/kdf/nodeDoor.ts',
				text: 'if (!mayAccess(identity.role, access, false)) {',
				replacement: "if (!mayAccess(identity.role, access, false) && stands('node-method-role')) {"
			}
		],
		attacks: ['signature-in-a-batch', 'keys-of-the-trading-node']
	},
	{
		name: 'node-token-methods',
		stops: 'A token calls a method of a trading node that is not in its list.',
		edits: [
			{
				file: 'src/lib/server/rpc-proxy/kdf/nodeDoor.ts',
				text: 'if (methods !== null && !methods.includes(name)) {',
				replacement:
					"if (methods !== null && !methods.includes(name) && stands('node-token-methods')) {"
			}
		],
		attacks: ['token-beyond-its-node-methods']
	},
	{
		name: 'node-token-nodes',
		stops: 'A token of other daemons calls a trading node.',
		edits: [
			{
				file: 'src/lib/server/rpc-proxy/kdf/nodeDoor.ts',
				text: 'if (daemons !== null && !daemons.includes(nodeId)) {',
				replacement:
					"if (daemons !== null && !daemons.includes(nodeId) && stands('node-token-nodes')) {"
			}
		],
		attacks: ['token-beyond-its-node']
	},
	{
		name: 'node-demands',
		stops: 'An operator hands the keys of a coin to a remote signer.',
		edits: [
			{
				file: 'src/lib/server/rpc-proxy/kdf/nodeDoor.ts',
				text: 'if (more && !mayAccess(role, access, false)) {',
				replacement: "if (more && !mayAccess(role, access, false) && stands('node-demands')) {"
			}
		],
		attacks: ['remote-signer-of-an-operator']
	},
	{
		name: 'node-servers',
		stops: 'An operator makes a trading node connect to any address.',
		edits: [
			{
				file: 'src/lib/server/rpc-proxy/kdf/nodeDoor.ts',
				text: 'if (!free && (await notListed(servers))) {',
				replacement: "if (!free && stands('node-servers') && (await notListed(servers))) {"
			}
		],
		attacks: ['node-sent-to-any-server']
	}
];

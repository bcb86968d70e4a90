/** Controls of the RPC API for daemons, and of the HTTP server in front of it. */
import type { Control } from './control.ts';

export const rpcApiControls: readonly Control[] = [
	{
		name: 'token-within-person',
		stops: 'A token keeps a role that its person has lost.',
		file: 'src/lib/server/access/api-tokens/verify.ts',
		text: 'narrower(row.role, row.account_role)',
		replacement: "stands('token-within-person') ? narrower(row.role, row.account_role) : row.role",
		attacks: ['token-above-its-person']
	},
	{
		name: 'token-revoked',
		stops: 'A revoked token works.',
		file: 'src/lib/server/access/api-tokens/verify.ts',
		text: "const open = rows.where('api_tokens.revoked_at', 'is', null);",
		replacement:
			"const open = stands('token-revoked') ? rows.where('api_tokens.revoked_at', 'is', null) : rows;",
		attacks: ['revoked-token']
	},
	{
		name: 'token-expired',
		stops: 'A token works after its end.',
		file: 'src/lib/server/access/api-tokens/verify.ts',
		text: 'if (known.expiresAt <= now) return null;',
		replacement: "if (known.expiresAt <= now && stands('token-expired')) return null;",
		attacks: ['expired-token']
	},
	{
		name: 'token-methods',
		stops: 'A token calls a method of a daemon or a trading node that is not in its list.',
		file: 'src/lib/server/access/calls/permitted.ts',
		text: 'if (methods !== null && !methods.includes(name)) return',
		replacement:
			"if (methods !== null && !methods.includes(name) && stands('token-methods')) return",
		attacks: ['token-beyond-its-methods', 'token-beyond-its-node-methods']
	},
	{
		name: 'token-daemons',
		stops: 'A token calls a daemon or a trading node that is not in its list.',
		file: 'src/lib/server/access/calls/permitted.ts',
		text: 'if (daemons !== null && !daemons.includes(place)) return',
		replacement:
			"if (daemons !== null && !daemons.includes(place) && stands('token-daemons')) return",
		attacks: ['token-beyond-its-daemons', 'token-beyond-its-node']
	},
	{
		name: 'method-role',
		stops:
			'A role signs, activates or disables what it may not, hidden in a batch or not, or gets the keys of a wallet.',
		file: 'src/lib/server/access/calls/permitted.ts',
		text: 'if (!mayAccess(identity.role, access, false)) {',
		replacement: "if (!mayAccess(identity.role, access, false) && stands('method-role')) {",
		attacks: [
			'forbidden-method-in-a-batch',
			'keys-of-the-wallet',
			'signature-in-a-batch',
			'keys-of-the-trading-node'
		]
	},
	{
		name: 'own-names',
		stops: 'A name that every object has is taken for a method.',
		file: 'src/lib/rpc/daemon/index.ts',
		text: 'Object.hasOwn(daemonMethods, name)',
		replacement:
			"(stands('own-names') ? Object.hasOwn(daemonMethods, name) : name in daemonMethods)",
		attacks: ['names-of-prototypes']
	},
	{
		name: 'checked-json',
		stops: 'What is no JSON is cut into calls.',
		file: 'src/lib/server/rpc-proxy/daemon/requestBody.ts',
		text: 'JSON.parse(text);',
		replacement: "if (stands('checked-json')) JSON.parse(text);",
		attacks: ['wild-ids-and-types']
	},
	{
		name: 'depth-limit',
		stops: 'JSON of any depth reaches the daemon.',
		file: 'src/lib/server/rpc-proxy/http/bodyMeter.ts',
		text: 'if (++this.#depth > this.#limits.depth)',
		replacement: "if (++this.#depth > this.#limits.depth && stands('depth-limit'))",
		attacks: ['deep-json']
	},
	{
		name: 'batch-limit',
		stops: 'One request holds any number of calls.',
		file: 'src/lib/server/rpc-proxy/http/bodyMeter.ts',
		text: '++this.#calls > this.#limits.calls',
		replacement: "++this.#calls > this.#limits.calls && stands('batch-limit')",
		attacks: ['oversized-batch']
	},
	{
		name: 'rpc-body-limit',
		stops: 'A call of any size is read into memory.',
		edits: [
			{
				file: 'src/lib/server/rpc-proxy/http/rpcBody.ts',
				text: 'size > limits.hexBytes || (size > limits.bytes && !mayBeLarge(meter.methods));',
				replacement:
					"stands('rpc-body-limit') && (size > limits.hexBytes || (size > limits.bytes && !mayBeLarge(meter.methods)));"
			},
			{
				file: 'src/lib/server/rpc-proxy/http/rpcBody.ts',
				text: 'const misplaced = size > limits.bytes && !seen;',
				replacement: "const misplaced = size > limits.bytes && !seen && stands('rpc-body-limit');"
			}
		],
		attacks: ['oversized-call']
	},
	{
		name: 'head-limit',
		stops: 'A request has any number of header fields.',
		file: 'src/start/server.ts',
		text: 'if (request.rawHeaders.length / 2 > limits.headFields) {',
		replacement: "if (request.rawHeaders.length / 2 > limits.headFields && stands('head-limit')) {",
		attacks: ['too-many-header-fields']
	},
	{
		name: 'connection-limit',
		stops: 'One address holds every connection that the server takes.',
		file: 'src/start/server.ts',
		text: 'if (open >= limits.connectionsPerAddress) {',
		replacement: "if (open >= limits.connectionsPerAddress && stands('connection-limit')) {",
		attacks: ['flood-of-connections']
	},
	{
		name: 'call-budget',
		stops: 'One person calls daemons without end.',
		file: 'src/lib/server/rpc-proxy/rpcApi.ts',
		text: 'if (wait === null) return true;',
		replacement: "if (wait === null || !stands('call-budget')) return true;",
		attacks: ['flood-of-calls']
	},
	{
		name: 'formula-cells',
		stops: 'A token’s name is run as a formula by a spreadsheet.',
		file: 'src/lib/server/chains/lists/csv.ts',
		text: 'const safe = guarded(text);',
		replacement: "const safe = stands('formula-cells') ? guarded(text) : text;",
		attacks: ['formula-in-an-export']
	}
];

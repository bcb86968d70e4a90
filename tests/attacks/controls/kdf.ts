/** Controls of the RPC API for trading nodes. */
import type { Control } from './control.ts';

export const kdfControls: readonly Control[] = [
	{
		name: 'node-userpass',
		stops: 'Whoever may call the RPC API brings a userpass along that is not their API token.',
		file: 'src/lib/server/rpc-proxy/kdf/userpassCheck.ts',
		text: 'return isOwn ? named :',
		replacement: "if (!stands('node-userpass')) return identity; return isOwn ? named :",
		attacks: ['password-brought-to-the-node']
	},
	{
		name: 'node-demands',
		stops: 'An operator hands the keys of a coin to a remote signer.',
		file: 'src/lib/server/access/calls/authorizeCall.ts',
		text: 'if (access !== method.access && !mayAccess(identity.role, access, false)) {',
		replacement:
			"if (access !== method.access && !mayAccess(identity.role, access, false) && stands('node-demands')) {",
		attacks: ['remote-signer-of-an-operator']
	},
	{
		name: 'node-servers',
		stops: 'An operator makes a trading node connect to any address.',
		file: 'src/lib/server/access/calls/authorizeCall.ts',
		text: 'return free || (await isEachListed(servers))',
		replacement: "return free || !stands('node-servers') || (await isEachListed(servers))",
		attacks: ['node-sent-to-any-server']
	},
	{
		name: 'tasks-of-others',
		stops: 'A script ends the task of a trading node that another member’s activation waits for.',
		file: 'src/lib/server/access/calls/authorizeCall.ts',
		text: 'if (work === null) return null;',
		replacement: "if (work === null || !stands('tasks-of-others')) return null;",
		attacks: ['task-of-another-member']
	},
	{
		name: 'activator-role',
		stops: 'What somebody began and had to wait is begun after they may not activate any more.',
		file: 'src/lib/server/access/rights/walletRefusal.ts',
		text: 'if (!isClosed && mayAccess(user.role, needs, false)) {',
		replacement:
			"if (!isClosed && (mayAccess(user.role, needs, false) || !stands('activator-role'))) {",
		attacks: ['activation-after-the-role-is-gone']
	}
];

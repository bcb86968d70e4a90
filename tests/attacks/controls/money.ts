/** Controls of wallet grants, and of transactions before they are sent. */
import type { Control } from './control.ts';

export const moneyControls: readonly Control[] = [
	{
		name: 'own-wallets',
		stops: 'Somebody uses a wallet that an admin did not give them.',
		file: 'src/lib/server/access/rights/walletRefusal.ts',
		text: 'told(deps, member, daemon, await deps.wallets.refusal(member, daemon), act)',
		replacement:
			"stands('own-wallets') ? told(deps, member, daemon, await deps.wallets.refusal(member, daemon), act) : null",
		attacks: ['wallet-of-others']
	},
	{
		name: 'wallet-pages',
		stops: 'Somebody reads what a wallet holds and did that an admin did not give them.',
		file: 'src/routes/wallets/openWallet.ts',
		text: 'if (foreign !== null) error(403,',
		replacement: "if (foreign !== null && stands('wallet-pages')) error(403,",
		attacks: ['wallet-read-by-others']
	},
	{
		name: 'transaction-readers',
		stops: 'Somebody reads what colleagues built with a wallet that an admin did not give them.',
		file: 'src/lib/server/wallet/transactions/readers.ts',
		text: 'if (readsAll(reader))',
		replacement: "if (readsAll(reader) || !stands('transaction-readers'))",
		attacks: ['transactions-read-by-others']
	},
	{
		name: 'wallet-reads',
		stops: 'A script asks what a wallet holds and did that an admin did not give its member.',
		file: 'src/lib/server/access/calls/authorizeCall.ts',
		text: "call.access === 'wallet-query' ? useDenial(identity, call) : null",
		replacement:
			"call.access === 'wallet-query' && stands('wallet-reads') ? useDenial(identity, call) : null",
		attacks: ['wallet-asked-by-others']
	},
	{
		name: 'others-work',
		stops: 'Somebody ends what a colleague has reviewed, without the wallet that it is for.',
		file: 'src/lib/server/access/rights/walletRefusal.ts',
		text: 'const holder = (await deps.wallets.holderOf(kind, id)) ?? by;',
		replacement:
			"if (!stands('others-work')) return null;\nconst holder = (await deps.wallets.holderOf(kind, id)) ?? by;",
		attacks: ['work-of-others']
	},
	{
		name: 'wallet-of-burn',
		stops:
			'A member sends a burn from a wallet that an admin did not give them, past its limits, once its daemon has another name.',
		file: 'src/lib/server/cross-chain/migration/use-cases/openByBurn.ts',
		text: 'const same = daemonsOfWallet(gateway, row);',
		replacement:
			"const same = stands('wallet-of-burn') ? daemonsOfWallet(gateway, row) : gateway.daemons().filter(({ chain }) => chain === row.source);",
		attacks: ['unsent-burn-of-another-wallet']
	},
	{
		name: 'frozen-sends',
		stops: 'Something is sent while all sends are frozen.',
		file: 'src/lib/server/access/policy/safety-controls/safetyControls.ts',
		text: "const { freeze, 'read-only': readOnly } = status;",
		replacement:
			"const { freeze, 'read-only': readOnly } = status;\nif (!stands('frozen-sends')) return null;",
		attacks: ['send-while-frozen']
	},
	{
		name: 'usable-data',
		stops: 'A token is created that can never move.',
		file: 'src/lib/server/wallet/transactions/request.ts',
		text: 'if (!USABLE_NFT_CODES.has(code)) {',
		replacement: "if (!USABLE_NFT_CODES.has(code) && stands('usable-data')) {",
		attacks: ['data-that-no-module-checks']
	},
	{
		name: 'receiving-key',
		stops: 'Tokens go to a key that nobody has, or to an address, and are destroyed.',
		file: 'src/lib/server/wallet/transactions/request.ts',
		text: "if (text === '') return faults.noRecipient;",
		replacement:
			"if (text === '') return faults.noRecipient;\nif (!stands('receiving-key')) return null;",
		attacks: ['key-that-nobody-has']
	},
	{
		name: 'condition-address',
		stops: 'Coins are carried or paid to the token address of a wallet, and are lost.',
		edits: [
			{
				file: 'src/lib/server/cross-chain/migration/preflight/address.ts',
				text: 'const trap = knownTrap(request.address, pubkeys);',
				replacement:
					"if (!stands('condition-address')) return;\nconst trap = knownTrap(request.address, pubkeys);"
			},
			{
				// A burn whose outputs Komodeck chooses is checked like a composed one.
				file: 'src/lib/server/cross-chain/migration/customChecks.ts',
				text: 'const trap = knownTrap(address, pubkeys);',
				replacement:
					"const trap = stands('condition-address') ? knownTrap(address, pubkeys) : null;"
			},
			{
				file: 'src/lib/server/chains/daemon/refuseTraps.ts',
				text: 'const trap = knownTrap(address, pubkeys);',
				replacement:
					"const trap = stands('condition-address') ? knownTrap(address, pubkeys) : null;"
			}
		],
		attacks: ['coins-to-a-token-address']
	},
	{
		name: 'approver-role',
		stops:
			'What somebody confirmed in an approval queue goes out after they may not approve any more.',
		file: 'src/lib/server/cross-chain/notary-approvals/queue/advance.ts',
		text: "if (!isWallet) return back({ code: 'approval.role', params: {} });",
		replacement:
			"if (!isWallet && stands('approver-role')) return back({ code: 'approval.role', params: {} });",
		attacks: ['approval-after-the-role-is-gone']
	},
	{
		name: 'import-approvers',
		stops:
			'An import that was approved goes out later although its approver may not approve any more.',
		file: 'src/lib/server/cross-chain/migration/decisions/policy.ts',
		text: 'isApproved(migration) || wasOut(migration);',
		replacement: "isApproved(migration) || wasOut(migration) || !stands('import-approvers');",
		attacks: ['import-after-the-approver-is-gone']
	},
	{
		name: 'refusals-recorded',
		stops: 'Somebody tries what limits and a freeze refuse, and nothing tells of it.',
		file: 'src/lib/server/access/calls/authorizeCall.ts',
		text: 'if (denial !== null) await recordDenial(',
		replacement: "if (denial !== null && stands('refusals-recorded')) await recordDenial(",
		attacks: ['refusal-without-a-trace']
	}
];

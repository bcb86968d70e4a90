/** Controls of changes that need the approval of other admins. */
import type { Control } from './control.ts';

const GATE = 'src/lib/server/access/changes/gate.ts';
const PROPOSALS = 'src/lib/server/access/proposals/proposals.ts';

export const changeControls: readonly Control[] = [
	{
		name: 'changes-wait',
		stops: 'One admin changes alone what other admins have to approve.',
		file: GATE,
		text: 'if (looked.waits && by !== null) {',
		replacement: "if (looked.waits && by !== null && stands('changes-wait')) {",
		attacks: [
			'role-without-approval',
			'wallets-without-approval',
			'account-without-approval',
			'factors-without-approval',
			'rule-without-approval',
			'limit-without-approval',
			'fee-without-approval',
			'security-without-approval',
			'safety-without-approval',
			'approvals-without-approval'
		]
	},
	{
		name: 'links-with-approval',
		stops: 'A link that one admin made alone works although it needs approval.',
		file: 'src/lib/server/access/accounts/links/workingLink.ts',
		text: 'if (made_by === null) return false;',
		replacement: "if (made_by === null || !stands('links-with-approval')) return false;",
		attacks: [
			'invitation-without-approval',
			'invitation-with-wallets-without-approval',
			'password-without-approval'
		],
		behind: 'changes-wait'
	},
	{
		name: 'approvers-are-more-than-viewers',
		stops: 'One admin becomes a viewer whom a rule asks, and approves their own send.',
		file: 'src/lib/server/access/policy/rules/approvers.ts',
		text: '|| isAsked(holder)',
		replacement: "|| (stands('approvers-are-more-than-viewers') && isAsked(holder))",
		attacks: ['approver-without-approval']
	},
	{
		name: 'one-approval-each',
		stops: 'One admin approves a change as often as approvals are needed.',
		edits: [
			{
				file: PROPOSALS,
				text: "if (numInsertedOrUpdatedRows === 0n) throw new AppError('change.twice');",
				replacement:
					"const again = numInsertedOrUpdatedRows === 0n; if (again && stands('one-approval-each')) throw new AppError('change.twice');"
			},
			{
				file: PROPOSALS,
				text: 'if (missing > 0) return null;',
				replacement: 'if (missing > 0 && !again) return null;'
			}
		],
		attacks: ['change-approved-twice-by-one-admin']
	},
	{
		name: 'changes-of-one-state',
		stops: 'A change is carried out on something else than what was approved.',
		file: PROPOSALS,
		text: 'return isBasedOn(row.base, await neededApprovals(within), looked);',
		replacement:
			"return isBasedOn(row.base, await neededApprovals(within), looked) || !stands('changes-of-one-state');",
		attacks: ['change-of-what-has-changed']
	},
	{
		name: 'recorded-proposals',
		stops: 'Who can write to the database approves a change in the name of an admin.',
		file: PROPOSALS,
		text: "if (!found.vouched) throw new AppError('change.unrecorded');",
		replacement:
			"if (!found.vouched && stands('recorded-proposals')) throw new AppError('change.unrecorded');",
		attacks: ['change-written-into-the-database']
	}
];

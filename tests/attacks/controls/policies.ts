/** Controls of the policies, and of the approvals that they ask for. */
import type { Control } from './control.ts';

const RIGHTS = 'src/lib/server/access/policy/limits/rights.ts';
const DECIDE = 'src/lib/server/access/policy/rules/decide.ts';
const APPROVALS = 'src/lib/server/access/approvals/approvals.ts';
const QUORUM = 'src/lib/server/access/approvals/quorum.ts';
const VOTERS = 'src/lib/server/access/approvals/voters.ts';

export const policyControls: readonly Control[] = [
	{
		name: 'rules-asked',
		stops: 'What a rule denies goes out by another entrance than the pages.',
		edits: [
			{
				file: RIGHTS,
				text: 'if (verdict === null) return;',
				replacement: "if (verdict === null || !stands('rules-asked')) return;"
			}
		],
		attacks: ['bytes-that-a-rule-denies']
	},
	{
		name: 'windows-add-up',
		stops: 'Many small sends go below what a rule looks at.',
		edits: [
			{
				file: DECIDE,
				text: 'least: taken.least + used.total }',
				replacement: "least: taken.least + (stands('windows-add-up') ? used.total : 0n) }"
			}
		],
		attacks: ['small-sends-below-a-window']
	},
	{
		name: 'another-approver',
		stops: 'Authors approve what they ask for themselves.',
		edits: [
			{
				file: APPROVALS,
				text: "if (account === request.account) throw new AppError('approval.own');",
				replacement:
					"if (account === request.account && stands('another-approver')) throw new AppError('approval.own');"
			},
			{
				file: QUORUM,
				text: 'account !== author',
				replacement: "(account !== author || !stands('another-approver'))"
			}
		],
		attacks: ['approval-of-ones-own-request']
	},
	{
		name: 'approved-bytes',
		stops: 'An approval counts for bytes that the approver did not see.',
		edits: [
			{
				file: APPROVALS,
				text: 'if (hash !== seen.hash || hashOf(seen.hex) !== seen.hash) {',
				replacement:
					"if (stands('approved-bytes') && (hash !== seen.hash || hashOf(seen.hex) !== seen.hash)) {"
			},
			{
				file: APPROVALS,
				text: "if (request.hash !== hash) throw new AppError('approval.changed-bytes');",
				replacement:
					"if (request.hash !== hash && stands('approved-bytes')) throw new AppError('approval.changed-bytes');"
			}
		],
		attacks: ['approval-of-other-bytes']
	},
	{
		name: 'enabled-approvers',
		stops: 'The approval of a member who was disabled since counts.',
		edits: [
			{
				file: VOTERS,
				text: 'enabled: disabled_at === null && to_confirm === null',
				replacement:
					"enabled: (disabled_at === null && to_confirm === null) || !stands('enabled-approvers')"
			}
		],
		attacks: ['approval-of-a-disabled-member']
	}
];

import type { AccessRequestTables } from './access-requests/tables.ts';
import type { AuthTables } from './accounts/tables.ts';
import type { ApiTokenTables } from './api-tokens/tables.ts';
import type { ApprovalTables } from './approvals/tables.ts';
import type { NotificationTables } from './notifications/tables.ts';
import type { SpendingLimitTables } from './policy/limits/tables.ts';
import type { PolicyTables } from './policy/rules/tables.ts';
import type { SafetyControlTables } from './policy/safety-controls/tables.ts';
import type { WalletGrantTables } from './policy/wallets/tables.ts';
import type { ProposalTables } from './changes/tables.ts';
import type { SavedFilterTables } from './saved-filters/tables.ts';
import type { SecondFactorTables } from './second-factors/tables.ts';
import type { SecuritySettingTables } from './security-settings/tables.ts';
import type { SingleSignOnTables } from './single-sign-on/tables.ts';

/** The tables that this folder and those before it may read and write. */
export interface AccessTables
	extends
		AuthTables,
		ApiTokenTables,
		AccessRequestTables,
		ApprovalTables,
		PolicyTables,
		NotificationTables,
		ProposalTables,
		SavedFilterTables,
		SecondFactorTables,
		SecuritySettingTables,
		SingleSignOnTables,
		SpendingLimitTables,
		SafetyControlTables,
		WalletGrantTables {}

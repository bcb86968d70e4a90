import type { Executor } from '../../../platform/database/database.ts';
import type { Audit } from '../../audit/audit.ts';
import type { SecondFactors } from '../../second-factors/secondFactors.ts';
import type { AccessTables } from '../../tables.ts';
import type { LocalLogin } from '../localLogin.ts';
import type { LoginThrottle } from '../../credentials/loginThrottle.ts';
import type { Sessions } from '../session.ts';
import type { RecordRefusal } from '../signInRefusals.ts';

/** What the functions of signing in need. */
export interface SignInDependencies {
	db: Executor<AccessTables>;
	sessions: Sessions;
	throttle: LoginThrottle;
	localLogin: LocalLogin;
	factors: SecondFactors;
	audit: Audit;
	recordRefusal: RecordRefusal;
}

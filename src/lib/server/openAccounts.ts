/** Accounts, sessions, the audit log and the safety controls of the application. */
import { heldBackForExport } from '#lib/messages/auditLog.ts';
import { exportedUpTo } from './access/notifications/auditExport.ts';
import { createSafetyControls } from './access/policy/safety-controls/safetyControls.ts';
import { createAuth } from './access/requests/auth.ts';
import { signOnOptions } from './access/single-sign-on/options.ts';
import { work } from './cross-chain/open-work/openWork.ts';
import { keySettings } from './platform/config/secretFiles.ts';
import { AppError, isAppError } from './platform/errors/appError.ts';
import type { Life } from './platform/jobs/life.ts';
import type { Stores } from './openStores.ts';

export async function openAccounts(life: Life, { config, log, db, doubt, onError }: Stores) {
	const auth = await createAuth(db, {
		dataDir: config.dataDir,
		...keySettings(process.env),
		work,
		publicBrowsing: config.publicBrowsing,
		signOn: signOnOptions(config),
		origin: config.origin ?? undefined
	});
	if (config.admin !== null) {
		const { user: name, password } = config.admin;
		try {
			await auth.setup.ensureFirstAccount({ name, password });
		} catch (cause) {
			if (!isAppError(cause, 'account')) throw cause;
			throw new AppError('config.first-account', { why: cause.message }, { cause });
		}
	}
	const { audit, sessions } = auth;
	audit.watch({
		keepDays: config.auditDays,
		exported: () => exportedUpTo(db, config.auditExport),
		doubt,
		onHeldBack: (segment) => log.warn(heldBackForExport(segment)),
		onError
	});
	life.onEnd(() => audit.stop().catch(onError));
	const safetyControls = createSafetyControls(db, audit);
	return { auth, audit, sessions, safetyControls };
}

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

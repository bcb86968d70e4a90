import { error } from '@sveltejs/kit';
import { migrationPage as words } from '#lib/messages/pages/migration.ts';
import { statusOfMigration } from '#lib/server/cross-chain/migration/bytes.ts';
import { writeRecoveryFile } from '#lib/server/cross-chain/migration/recoveryFile.ts';
import { mayReadBytes } from '#lib/server/wallet/transactions/bytes.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals, params }) => {
	const view = await locals.app.migrations.get(params.id);
	if (!view) error(404, { message: words.noSuch });
	const { row } = view;
	const mayRead = await mayReadBytes(locals.app.rights, locals, {
		status: statusOfMigration(view),
		chain: row.source,
		daemon: row.source_daemon,
		access: 'broadcast'
	});
	if (!mayRead) {
		error(403, { message: words.recoveryRefused });
	}
	return new Response(writeRecoveryFile(view), {
		headers: {
			'content-type': 'application/json',
			'content-disposition': `attachment; filename="migration-${view.row.id}.json"`,
			'cache-control': 'no-store'
		}
	});
};

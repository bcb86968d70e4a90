/** API tokens of members. Each use case is in its own file. */
import { bindTo } from '../../platform/bind.ts';
import { createRowCache } from '../../platform/database/rowCache.ts';
import { create } from './create.ts';
import type { ApiTokenDependencies } from './dependencies.ts';
import { list } from './list.ts';
import { ownerOf } from './ownerOf.ts';
import { replace } from './replace.ts';
import { revoke } from './revoke.ts';
import { verify, type KnownTokens } from './verify.ts';

export function createApiTokens(deps: ApiTokenDependencies) {
	const kept: KnownTokens = createRowCache(deps.db.changeStamp);
	const bound = bindTo(deps);
	return {
		create: bound(create),
		replace: bound(replace),
		revoke: bound(revoke),
		list: bound(list),
		ownerOf: bound(ownerOf),
		verify: bindTo({ ...deps, kept })(verify),
		/** Returns the admins' rule for expiry. */
		lifetimeRule: deps.lifetimeRule
	};
}

export type ApiTokens = ReturnType<typeof createApiTokens>;

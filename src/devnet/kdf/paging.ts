import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import { u64, variant, type Read } from './serde.ts';

/** Selects a page of a list. */
export type Paging = { page: number } | { from: JsonValue };

export const paging: Read<Paging> = (value) => {
	const kind = variant('PageNumber', 'FromId')(value);
	const inner = isJsonObject(value) ? value[kind]! : null;
	if (kind === 'FromId') return { from: inner };
	return { page: Math.max(1, u64(inner)) };
};

export const pagingJson = (value: Paging): JsonValue =>
	'page' in value ? { PageNumber: int(value.page) } : { FromId: value.from };

import { ApiError, badRequest, problem } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { hasPushToken, type PushToken } from "../queries/push-tokens.ts";
import type { User } from "../queries/users.ts";

/** Refuses requests that need a push service. */
export function refusePush(): never {
  throw new ApiError("PUSH_SERVICE_NOT_CONFIGURED", problem("push_not_supported"));
}

/** Tokens of other users and missing tokens get the same error. */
export function pushTokenToRemove(reader: Reader, viewer: User, device: PushToken): PushToken {
  if (!hasPushToken(reader, viewer, device)) throw badRequest("push_token_not_found");
  return device;
}

export function assertPushDevice(reader: Reader, viewer: User, token: string): void {
  if (hasPushToken(reader, viewer, { kind: "apns", token }) || hasPushToken(reader, viewer, { kind: "fcm", token }))
    return;
  throw new ApiError("INVALID_PUSH_DEVICE_TOKEN", problem("push_token_not_found"));
}

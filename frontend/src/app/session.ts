import { useEffect } from "react";
import { ProblemError } from "../transport/http";
import { useMe } from "./queries";

/** Where to sign in, and to come back to. */
export function signInAddress(location: Pick<Location, "pathname" | "search">): string {
  return `/accounts/login/?next=${encodeURIComponent(location.pathname + location.search)}`;
}

/** Sends to the sign-in page as soon as the server says that nobody is signed in. */
export function useSignedIn(): void {
  const { error } = useMe();
  const stranger = error instanceof ProblemError && (error.status === 401 || (error.status === 403 && error.code.includes("auth")));
  useEffect(() => {
    if (stranger) window.location.assign(signInAddress(window.location));
  }, [stranger]);
}

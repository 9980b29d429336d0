import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { createBrowserRouter, Navigate, Outlet, RouterProvider, useLocation, useParams } from "react-router";
import { AgentsScreen } from "../features/agents";
import { Loading, UiProvider } from "../ui";
import { ErrorBoundary, NotFound } from "./Fault";
import { Home } from "./Home";
import { makeQueryClient, useMe } from "./queries";
import { useSignedIn } from "./session";

const DesignPage = lazy(() => import("./DesignPage"));
const VersionPage = lazy(() => import("./VersionPage"));
const ReviewPage = lazy(() => import("./ReviewPage"));
const VersionsPage = lazy(async () => ({ default: (await import("./ReviewPage")).VersionsPage }));
const LivePage = lazy(() => import("./LivePage"));
const SettingsScreen = lazy(async () => ({ default: (await import("../features/admin")).SettingsScreen }));
const CallsScreen = lazy(async () => ({ default: (await import("../features/live")).CallsScreen }));

function Root() {
  const { pathname } = useLocation();
  useSignedIn();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<Loading what="Opening…" />}><Outlet /></Suspense>
    </ErrorBoundary>
  );
}

function AgentsPage() {
  return <Home><AgentsScreen roles={useMe().data?.workspace.roles} /></Home>;
}

function CallsPage() {
  return <Home><CallsScreen roles={useMe().data?.workspace.roles} /></Home>;
}

function SettingsPage() {
  const { tab = "" } = useParams();
  const { data: me } = useMe();
  return <Home>{me ? <SettingsScreen tab={tab} self={{ id: me.user.id, roles: me.workspace.roles }} /> : <Loading what="Opening…" />}</Home>;
}

const router = createBrowserRouter([
  {
    element: <Root />,
    children: [
      { path: "/", element: <AgentsPage /> },
      { path: "/agents", element: <AgentsPage /> },
      { path: "/agents/:id", element: <DesignPage /> },
      { path: "/agents/:id/versions", element: <VersionsPage /> },
      { path: "/agents/:id/versions/:number/review", element: <ReviewPage /> },
      { path: "/agents/:id/versions/:number", element: <VersionPage /> },
      { path: "/calls", element: <CallsPage /> },
      { path: "/calls/:id", element: <LivePage /> },
      { path: "/settings", element: <Navigate to="/settings/members" replace /> },
      { path: "/settings/:tab", element: <SettingsPage /> },
      { path: "*", element: <Home><NotFound /></Home> },
    ],
  },
]);

/** The page: providers around the router. */
export function App() {
  const [client] = useState(makeQueryClient);
  return (
    <UiProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  );
}
